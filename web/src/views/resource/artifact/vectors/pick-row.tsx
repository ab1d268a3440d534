import { NumberInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { plural } from '../../../../parts/format.js';
import classes from '../artifact-dialog.module.css';

interface PickRowProps {
  readonly label: string;
  /** The name of one item. */
  readonly noun: string;
  readonly count: number;
  /** Null: nothing is selected. */
  readonly value: number | null;
  readonly onChange: (row: number) => void;
}

/** Selects one of many items by its number. */
export function PickRow({ label, noun, count, value, onChange }: PickRowProps): ReactElement {
  return (
    <span className={classes.pick}>
      <NumberInput
        size="xs"
        w={96}
        aria-label={label}
        placeholder="0"
        min={0}
        max={Math.max(0, count - 1)}
        clampBehavior="strict"
        allowDecimal={false}
        value={value ?? ''}
        onChange={(next) => typeof next === 'number' && onChange(next)}
      />
      <span className="dim small">of {plural(count, noun)}, counted from 0</span>
    </span>
  );
}
