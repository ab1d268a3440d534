import { NumberInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { formatCount } from '../../parts/format.js';
import { bounds, type BoundName, type Typed } from './draft.js';

interface BoundInputProps {
  readonly name: BoundName;
  readonly value: Typed;
  readonly readOnly: boolean;
  readonly onChange: (value: Typed) => void;
}

/** One of a step's bounds, with what may be said and what counts when nothing is. */
export function BoundInput({ name, value, readOnly, onChange }: BoundInputProps): ReactElement {
  const { label, unit, min, max, usual, allowDecimal } = bounds[name];
  const least = min < 1 && min > 0 ? 'above 0' : formatCount(min);
  return (
    <NumberInput
      label={unit === '' ? label : `${label}, ${unit}`}
      description={`${least} to ${formatCount(max)}`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={String(usual)}
      min={min}
      max={max}
      step={1}
      allowDecimal={allowDecimal}
      allowNegative={false}
      decimalScale={3}
      clampBehavior="blur"
      hideControls
      readOnly={readOnly}
      value={value}
      onChange={(next) => onChange(next === '' ? '' : Number(next))}
    />
  );
}
