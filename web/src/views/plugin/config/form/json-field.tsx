import { Textarea } from '@mantine/core';
import type { FieldProps } from '@rjsf/utils';
import { useEffect, useState, type ReactElement } from 'react';
import classes from '../config-editor.module.css';
import type { ConfigFormContext } from './form-context.js';
import { labelsOf } from './labels.js';

const write = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** A member as JSON. Invalid JSON stays in the field, and the config cannot be saved until it is valid. */
export function JsonField(props: FieldProps): ReactElement {
  const formData: unknown = props.formData;
  const { fieldPathId, onChange, registry } = props;
  const { onUnreadable } = registry.formContext as ConfigFormContext;
  const labels = labelsOf(props, 'As JSON.');
  const [{ text, of }, setDraft] = useState({ text: write(formData), of: write(formData) });
  const [problem, setProblem] = useState<string | null>(null);
  const current = write(formData);

  // The config was changed elsewhere, or changes were undone.
  if (current !== of) {
    setDraft({ text: current, of: current });
    setProblem(null);
  }
  useEffect(() => {
    onUnreadable(labels.id, problem);
    return () => onUnreadable(labels.id, null);
  }, [onUnreadable, labels.id, problem]);

  const edit = (next: string): void => {
    try {
      const value: unknown = next.trim() === '' ? undefined : JSON.parse(next);
      setDraft({ text: next, of: write(value) });
      setProblem(null);
      onChange(value, fieldPathId.path);
    } catch (error) {
      setDraft({ text: next, of });
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
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
