import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Declaration } from './declaration.js';

interface DeclarationFieldsProps {
  readonly value: Declaration;
  readonly onChange: (value: Declaration) => void;
  /** Returns the API's error at a property. */
  readonly errorOf: (name: string) => string | undefined;
}

const order = ['label', 'input', 'description', 'error'] as const;
const inputs: readonly { readonly value: Declaration['input']; readonly label: string }[] = [
  { value: 'undeclared', label: 'Not declared' },
  { value: 'source', label: 'Only the source' },
  { value: 'artifacts', label: 'Artifacts of earlier steps' },
];

/** The inputs for what a plugin declares about its steps. */
export function DeclarationFields({ value, onChange, errorOf }: DeclarationFieldsProps): ReactElement {
  const { heartbeat_seconds, produces, input, reads } = value;
  return (
    <>
      <NativeSelect
        label="Reads"
        data={[...inputs]}
        value={input}
        onChange={(event) => onChange({ ...value, input: event.currentTarget.value as Declaration['input'] })}
        error={input === 'artifacts' ? undefined : errorOf('reads')}
      />
      {input === 'artifacts' && (
        <TextInput
          label="Artifact types it reads"
          placeholder="text"
          description="Separated by commas."
          required
          withAsterisk={false}
          spellCheck={false}
          value={reads}
          onChange={(event) => onChange({ ...value, reads: event.currentTarget.value })}
          error={errorOf('reads')}
          inputWrapperOrder={[...order]}
        />
      )}
      <TextInput
        label="Artifact types it produces"
        placeholder="text, tables"
        description="Separated by commas."
        spellCheck={false}
        value={produces}
        onChange={(event) => onChange({ ...value, produces: event.currentTarget.value })}
        error={errorOf('produces')}
        inputWrapperOrder={[...order]}
      />
      <TextInput
        label="Heartbeat"
        placeholder="no limit"
        description="An attempt fails if its worker is silent for more than this many seconds (1 to 3,600)."
        inputMode="numeric"
        autoComplete="off"
        value={heartbeat_seconds}
        onChange={(event) => onChange({ ...value, heartbeat_seconds: event.currentTarget.value })}
        error={errorOf('heartbeat_seconds')}
        inputWrapperOrder={[...order]}
      />
    </>
  );
}
