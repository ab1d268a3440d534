import { SimpleGrid, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { Card } from '../../parts/card.js';
import { useRefusal } from '../../parts/permission.js';
import type { Draft } from './draft.js';

interface PipelineNamesProps {
  readonly draft: Draft;
  readonly isNew: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** What it is called, and what it is for. The latter stays as it was made: resources were told of it. */
export function PipelineNames({ draft, isNew, onChange }: PipelineNamesProps): ReactElement {
  const isForbidden = useRefusal('admin') !== null;
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
          readOnly={isForbidden}
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
              : 'Cannot be changed: make another pipeline for another type.'
          }
          value={draft.trigger_type}
          onChange={(event) => onChange({ ...draft, trigger_type: event.currentTarget.value })}
          maxLength={100}
          readOnly={!isNew || isForbidden}
          required={isNew}
          withAsterisk={false}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      </SimpleGrid>
    </Card>
  );
}
