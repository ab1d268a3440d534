import { TextInput } from '@mantine/core';
import type { RJSFSchema, WidgetProps } from '@rjsf/utils';
import type { ReactElement } from 'react';
import { usualOf } from './labels.js';
import { NumberInput } from './number-input.js';

/** A text or a number on one line. */
export function LineInput(props: WidgetProps): ReactElement {
  const { id, schema, label, hideLabel, required, rawErrors = [], onChange } = props;
  const value: unknown = props.value;
  const common = {
    id,
    label: hideLabel === true ? undefined : label,
    'aria-label': hideLabel === true ? label : undefined,
    description: [schema.description, boundsOf(schema)].filter(Boolean).join(' '),
    placeholder: usualOf(schema),
    withAsterisk: required === true,
    error: rawErrors.length === 0 ? null : rawErrors.join(' '),
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
