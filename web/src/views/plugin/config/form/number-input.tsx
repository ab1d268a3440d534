import { TextInput, type TextInputProps } from '@mantine/core';
import type { WidgetProps } from '@rjsf/utils';
import type { ReactElement } from 'react';
import { readNumber } from '../../../../parts/read-number.js';
import type { ConfigFormContext } from './form-context.js';
import { useTyped } from './use-typed.js';

const decimal = {
  write: (value: number | null | undefined): string => value?.toString() ?? '',
  read: (text: string): number | undefined => {
    if (text.trim() === '') return undefined;
    const number = readNumber(text);
    if (Number.isNaN(number)) throw new Error('It is not a number.');
    return number;
  },
};

interface NumberInputProps {
  readonly labels: TextInputProps;
  readonly widget: WidgetProps;
}

/** A number on one line. */
export function NumberInput({ labels, widget }: NumberInputProps): ReactElement {
  const { id, schema, registry, onChange } = widget;
  const value = widget.value as number | null | undefined;
  const { text, problem, edit } = useTyped(
    id,
    value,
    decimal,
    onChange,
    registry.formContext as ConfigFormContext,
  );
  return (
    <TextInput
      {...labels}
      error={problem ?? labels.error}
      // A phone's keys for numbers have no minus.
      inputMode={(schema.minimum ?? -1) < 0 ? 'text' : 'decimal'}
      value={text}
      onChange={(event) => edit(event.currentTarget.value)}
    />
  );
}
