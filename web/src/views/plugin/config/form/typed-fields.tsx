import { Textarea, type TextareaProps } from '@mantine/core';
import type { FieldProps } from '@rjsf/utils';
import type { ReactElement } from 'react';
import classes from '../config-editor.module.css';
import type { ConfigFormContext } from './form-context.js';
import { labelsOf } from './labels.js';
import { useTyped, type Format } from './use-typed.js';

const json: Format<unknown> = {
  write: (value) => (value === undefined ? '' : JSON.stringify(value, null, 2)),
  read: (text): unknown => (text.trim() === '' ? undefined : JSON.parse(text)),
};

/** A member as JSON. */
export const JsonField = (props: FieldProps): ReactElement => (
  <TypedField field={props} format={json} hint="As JSON." className={classes.json} spellCheck={false} />
);

const lines: Format<unknown> = {
  write: (value) => (value as readonly string[] | undefined)?.join('\n') ?? '',
  read: (text) => {
    const items = text.split('\n').map((line) => line.trim());
    return text.trim() === '' ? undefined : items.filter((item) => item !== '');
  },
};

/** A list of texts, one per line. */
export const LinesField = (props: FieldProps): ReactElement => (
  <TypedField field={props} format={lines} hint="One per line." />
);

interface TypedFieldProps extends TextareaProps {
  readonly field: FieldProps;
  readonly format: Format<unknown>;
  readonly hint: string;
}

/** A member in a text of several lines. */
function TypedField({ field, format, hint, ...rest }: TypedFieldProps): ReactElement {
  const { fieldPathId, onChange, registry } = field;
  const labels = labelsOf(field, hint);
  const { text, problem, edit } = useTyped(
    fieldPathId.$id,
    field.formData as unknown,
    format,
    (value) => onChange(value, fieldPathId.path),
    registry.formContext as ConfigFormContext,
  );
  return (
    <Textarea
      {...labels}
      {...rest}
      error={problem ?? labels.error}
      autosize
      minRows={2}
      maxRows={14}
      value={text}
      onChange={(event) => edit(event.currentTarget.value)}
    />
  );
}
