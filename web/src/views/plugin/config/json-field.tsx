import { Textarea } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { ConfigFieldProps } from './config-field-props.js';
import classes from './config-editor.module.css';

/** A member as JSON. What cannot be read yet stays in the field and out of the config. */
export function JsonField({ field, value, isReadOnly, onChange }: ConfigFieldProps): ReactElement {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [problem, setProblem] = useState<string | null>(null);
  const edit = (next: string): void => {
    setText(next);
    try {
      onChange(next.trim() === '' ? undefined : (JSON.parse(next) as unknown));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Textarea
      label={field.label}
      description={[field.description, 'As JSON.'].filter(Boolean).join(' ')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={field.usual}
      className={classes.json}
      autosize
      minRows={2}
      maxRows={14}
      spellCheck={false}
      readOnly={isReadOnly}
      value={text}
      error={problem}
      onChange={(event) => edit(event.currentTarget.value)}
    />
  );
}
