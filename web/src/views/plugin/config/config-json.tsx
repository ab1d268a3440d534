import { Textarea } from '@mantine/core';
import type { ReactElement } from 'react';
import classes from './config-editor.module.css';

interface ConfigJsonProps {
  readonly text: string;
  /** Why the text is not a valid config; null if it is. */
  readonly problem: string | null;
  readonly onChange: (text: string) => void;
}

/** The whole config as JSON. */
export function ConfigJson({ text, problem, onChange }: ConfigJsonProps): ReactElement {
  return (
    <Textarea
      aria-label="Config as JSON"
      className={classes.json}
      autosize
      minRows={8}
      maxRows={30}
      spellCheck={false}
      value={text}
      error={problem}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
