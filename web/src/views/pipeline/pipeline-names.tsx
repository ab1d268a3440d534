import { SimpleGrid, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { Card } from '../../parts/layout/card.js';
import { Fact, Facts } from '../../parts/layout/facts.js';
import { useRefusal } from '../../parts/actions/permission.js';
import type { Draft } from './draft.js';

interface PipelineNamesProps {
  readonly draft: Draft;
  readonly isNew: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** The name and the resource type of a pipeline. The type cannot change, because resources refer to it. */
export function PipelineNames({ draft, isNew, onChange }: PipelineNamesProps): ReactElement {
  const isForbidden = useRefusal('admin') !== null;
  if (isForbidden) {
    return (
      <Card aria-label="Name and type">
        <Facts>
          <Fact name="Name">
            <bdi>{draft.name}</bdi>
          </Fact>
          <Fact name="Trigger type">{draft.trigger_type}</Fact>
        </Facts>
      </Card>
    );
  }
  return (
    <Card aria-label="Name and type">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Name"
          placeholder="Documents"
          dir="auto"
          value={draft.name}
          onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
          maxLength={500}
          required
          withAsterisk={false}
        />
        <TextInput
          label="Trigger type"
          variant={isNew ? 'default' : 'filled'}
          placeholder="document"
          description={
            isNew
              ? 'Resources registered with this type go through it.'
              : 'Cannot be changed: create another pipeline for another type.'
          }
          value={draft.trigger_type}
          onChange={(event) => onChange({ ...draft, trigger_type: event.currentTarget.value })}
          maxLength={100}
          readOnly={!isNew}
          required={isNew}
          withAsterisk={false}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      </SimpleGrid>
    </Card>
  );
}
