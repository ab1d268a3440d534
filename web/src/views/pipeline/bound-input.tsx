import { NumberInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { bounds, problemOfBound, rangeOf, type BoundName, type Typed } from './draft.js';

interface BoundInputProps {
  readonly name: BoundName;
  readonly value: Typed;
  readonly onChange: (value: Typed) => void;
}

/** An input for one of a step's bounds, with its allowed range and default. */
export function BoundInput({ name, value, onChange }: BoundInputProps): ReactElement {
  const { label, min, max, usual, allowDecimal } = bounds[name];
  const problem = problemOfBound(name, value);
  return (
    <NumberInput
      label={label}
      description={problem === null && rangeOf(name)}
      error={problem}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={String(usual)}
      min={min}
      max={max}
      step={1}
      allowDecimal={allowDecimal}
      allowNegative={false}
      decimalScale={3}
      clampBehavior="none"
      hideControls
      value={value}
      onChange={(next) => onChange(next === '' ? '' : Number(next))}
    />
  );
}
