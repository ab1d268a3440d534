import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { explain } from './explain.js';

interface ProblemProps {
  readonly error: Error | null;
  /** What can be done about it, as buttons. */
  readonly children?: ReactNode;
}

/** A refusal, explained where the attempt was made. */
export function Problem({ error, children }: ProblemProps): ReactElement | null {
  if (error === null) return null;
  const { title, text } = explain(error);
  return (
    <Alert color="red" title={title} icon={<IconAlertTriangle aria-hidden />} role="alert">
      <p>{text}</p>
      {children}
    </Alert>
  );
}
