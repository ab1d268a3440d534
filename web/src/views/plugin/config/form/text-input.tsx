import { TextInput, type TextInputProps } from '@mantine/core';
import type { RJSFSchema, WidgetProps } from '@rjsf/utils';
import type { ReactElement } from 'react';
import { readNumber } from '../../../../parts/read-number.js';
import type { ConfigFormContext } from './form-context.js';
import { placeholderOf } from './labels.js';
import { useTyped } from './use-typed.js';

/** A text or a number on one line. */
export function LineInput(props: WidgetProps): ReactElement {
  const { id, schema, label, hideLabel, required, rawErrors = [], onChange } = props;
  const value: unknown = props.value;
  const common = {
    id,
    label: hideLabel === true ? undefined : label,
    'aria-label': hideLabel === true ? label : undefined,
    description: [schema.description, boundsOf(schema)].filter(Boolean).join(' '),
    placeholder: placeholderOf(schema),
    withAsterisk: required === true,
    // The service's finding comes after that of the page, and says the same.
    error: rawErrors[0],
    autoComplete: 'off',
    spellCheck: false,
  };
  const [type] = [schema.type].flat();
  if (type === 'number' || type === 'integer') return <NumberInput labels={common} widget={props} />;
  return (
    <TextInput
      {...common}
      value={(value as string | null | undefined) ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}

function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: RJSFSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`;
  return [
    ...(minimum === undefined ? [] : [`${minimum} or more.`]),
    ...(maximum === undefined ? [] : [`${maximum} or less.`]),
    ...(typeof exclusiveMinimum === 'number' ? [`More than ${exclusiveMinimum}.`] : []),
    ...(typeof exclusiveMaximum === 'number' ? [`Less than ${exclusiveMaximum}.`] : []),
  ].join(' ');
}

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

function NumberInput({ labels, widget }: NumberInputProps): ReactElement {
  const { id, schema, registry, onChange } = widget;
  const { text, problem, edit } = useTyped(
    id,
    widget.value as number | null | undefined,
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
