import { Textarea } from '@mantine/core';
import type { FieldProps } from '@rjsf/utils';
import type { ReactElement } from 'react';
import classes from '../config-editor.module.css';
import type { ConfigFormContext } from './form-context.js';
import { labelsOf } from './labels.js';
import { useTyped } from './use-typed.js';

const json = {
  write: (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2)),
  read: (text: string): unknown => (text.trim() === '' ? undefined : JSON.parse(text)),
};

/** A member as JSON. */
export function JsonField(props: FieldProps): ReactElement {
  const formData: unknown = props.formData;
  const { fieldPathId, onChange, registry } = props;
  const labels = labelsOf(props, 'As JSON.');
  const { text, problem, edit } = useTyped(
    labels.id,
    formData,
    json,
    (value) => onChange(value, fieldPathId.path),
    registry.formContext as ConfigFormContext,
  );
  return (
    <Textarea
      {...labels}
      error={problem ?? labels.error}
      className={classes.json}
      autosize
      minRows={2}
      maxRows={14}
      spellCheck={false}
      value={text}
      onChange={(event) => edit(event.currentTarget.value)}
    />
  );
}
