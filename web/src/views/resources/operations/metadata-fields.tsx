import { Button, CloseButton, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import { useUnsaved } from '../../../parts/actions/unsaved.js';
import { toPatch, type Pair, type Patch } from './metadata-patch.js';
import classes from './operations.module.css';

interface MetadataFieldsProps {
  /** Is called with the patch for what is typed; null while that is not valid. */
  readonly onChange: (patch: Patch | null) => void;
}

const empty: Pair = { key: '', value: '' };

/** Keys and values to set, and what will be stored. */
export function MetadataFields({ onChange }: MetadataFieldsProps): ReactElement {
  const [pairs, setPairs] = useState<readonly Pair[]>([empty]);
  const isTouched = pairs.some(({ key, value }) => key !== '' || value !== '');
  useUnsaved(isTouched);
  const patch = toPatch(pairs);
  const update = (next: readonly Pair[]): void => {
    setPairs(next);
    const read = toPatch(next);
    onChange(typeof read === 'string' ? null : read);
  };
  const edit = (at: number, change: Partial<Pair>): void =>
    update(pairs.map((pair, index) => (index === at ? { ...pair, ...change } : pair)));
  return (
    <Stack gap="xs" role="group" aria-label="Metadata">
      {pairs.map(({ key, value }, at) => (
        <Group key={at} gap="xs" wrap="nowrap">
          <TextInput
            aria-label={`Key ${at + 1}`}
            placeholder="Key"
            spellCheck={false}
            autoComplete="off"
            value={key}
            onChange={(event) => edit(at, { key: event.currentTarget.value })}
            data-autofocus={at === 0 || undefined}
          />
          <TextInput
            flex={1}
            aria-label={`Value ${at + 1}`}
            placeholder="Value"
            autoComplete="off"
            value={value}
            onChange={(event) => edit(at, { value: event.currentTarget.value })}
          />
          {pairs.length > 1 && (
            <CloseButton
              aria-label={`Remove key ${at + 1}`}
              onClick={() => update(pairs.filter((_, index) => index !== at))}
            />
          )}
        </Group>
      ))}
      <Group justify="space-between" gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => update([...pairs, empty])}
        >
          Add a key
        </Button>
        {isTouched && (
          <span className="dim small" role="status">
            {typeof patch === 'string' ? (
              patch
            ) : (
              <code className={classes.patch}>{JSON.stringify(patch)}</code>
            )}
          </span>
        )}
      </Group>
      <p className="dim small">
        Leave a value empty, or type null, to remove its key. Numbers, true and false are stored as such; put
        them, or null, in quotes to store text. A list of strings looks like [&quot;a&quot;, &quot;b&quot;].
      </p>
    </Stack>
  );
}
