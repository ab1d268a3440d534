import { TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { bounds, problemOfBound, rangeOf, type BoundName } from './draft.js';

interface BoundInputProps {
  readonly name: BoundName;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An input for one of a step's bounds, with its allowed range and default. */
export function BoundInput({ name, value, onChange }: BoundInputProps): ReactElement {
  const { label, usual, allowDecimal } = bounds[name];
  const problem = problemOfBound(name, value);
  return (
    <TextInput
      label={label}
      description={problem === null && rangeOf(name)}
      error={problem}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={String(usual)}
      inputMode={allowDecimal ? 'decimal' : 'numeric'}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
