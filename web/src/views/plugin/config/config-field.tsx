import { NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import type { ConfigFieldProps } from './config-field-props.js';
import { JsonField } from './json-field.js';
import type { Field } from './schema-fields.js';
import { SecretInput } from './secret-input.js';

/** The control for a member of the config. A value that it cannot hold is shown as JSON. */
export function ConfigField(props: ConfigFieldProps): ReactElement {
  const { field, value, isReadOnly, onChange } = props;
  const { label, description, kind, isRequired, usual, min, max } = field;
  const common = {
    label,
    description: [description, boundsOf(field)].filter(Boolean).join(' '),
    withAsterisk: isRequired,
    placeholder: usual,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      'label' | 'input' | 'description' | 'error'
    )[],
  };
  const isUnset = value === undefined;
  const setText = (text: string): void => onChange(text === '' ? undefined : text);

  if ((kind === 'text' || kind === 'secret') && (isUnset || typeof value === 'string')) {
    const Input = kind === 'secret' ? SecretInput : TextInput;
    return (
      <Input
        {...common}
        readOnly={isReadOnly}
        autoComplete="off"
        spellCheck={false}
        value={value ?? ''}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    );
  }
  if ((kind === 'number' || kind === 'integer') && (isUnset || typeof value === 'number')) {
    return (
      <NumberInput
        {...common}
        readOnly={isReadOnly}
        min={min}
        max={max}
        clampBehavior="none"
        allowDecimal={kind === 'number'}
        value={value ?? ''}
        onChange={(next) => onChange(next === '' ? undefined : Number(next))}
      />
    );
  }
  if (kind === 'boolean' && (isUnset || typeof value === 'boolean')) {
    return (
      <NativeSelect
        {...common}
        disabled={isReadOnly}
        data={[
          {
            value: '',
            label: usual === undefined ? 'Not set' : `Not set: ${usual === 'true' ? 'yes' : 'no'}`,
          },
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        value={isUnset ? '' : String(value)}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          onChange(chosen === '' ? undefined : chosen === 'true');
        }}
      />
    );
  }
  if (kind === 'choice' && (isUnset || field.choices?.includes(value as string) === true)) {
    return (
      <NativeSelect
        {...common}
        disabled={isReadOnly}
        data={[
          { value: '', label: usual === undefined ? 'Not set' : `Not set: ${usual}` },
          ...(field.choices ?? []),
        ]}
        value={(value as string | undefined) ?? ''}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    );
  }
  if (kind === 'list' && (isUnset || isTexts(value))) {
    return (
      <Textarea
        {...common}
        description={[description, 'One a line.'].filter(Boolean).join(' ')}
        readOnly={isReadOnly}
        autosize
        minRows={2}
        value={value?.join('\n') ?? ''}
        onChange={(event) => {
          const { value: text } = event.currentTarget;
          onChange(text === '' ? undefined : text.split('\n'));
        }}
      />
    );
  }
  return <JsonField {...props} />;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function boundsOf({ kind, min, max }: Field): string {
  if (kind !== 'number' && kind !== 'integer') return '';
  if (min !== undefined && max !== undefined) return `${min} to ${max}.`;
  if (min !== undefined) return `${min} or more.`;
  return max === undefined ? '' : `${max} or less.`;
}
