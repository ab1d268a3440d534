import { useEffect, useState } from 'react';
import type { ConfigFormContext } from './form-context.js';

interface Typed {
  readonly text: string;
  /** Why the text is not a value; null if it is one. */
  readonly problem: string | null;
  readonly edit: (text: string) => void;
}

export interface Format<Value> {
  readonly write: (value: Value | undefined) => string;
  /** Throws an error if the text is not a value. */
  readonly read: (text: string) => Value | undefined;
}

/** The text of a field. Text that is not a value stays in the field, and the config cannot be saved until it is one. */
export function useTyped<Value>(
  id: string,
  value: Value | undefined,
  { write, read }: Format<Value>,
  onChange: (value: Value | undefined) => void,
  { onUnreadable }: ConfigFormContext,
): Typed {
  const current = write(value);
  const [{ text, of }, setDraft] = useState({ text: current, of: current });
  const [problem, setProblem] = useState<string | null>(null);

  // The config was changed elsewhere, or changes were undone.
  if (current !== of) {
    setDraft({ text: current, of: current });
    setProblem(null);
  }
  useEffect(() => {
    onUnreadable(id, problem);
    return () => onUnreadable(id, null);
  }, [onUnreadable, id, problem]);

  const edit = (next: string): void => {
    try {
      const typed = read(next);
      setDraft({ text: next, of: write(typed) });
      setProblem(null);
      onChange(typed);
    } catch (error) {
      setDraft({ text: next, of });
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return { text, problem, edit };
}
