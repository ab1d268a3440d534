import type { ReactElement, ReactNode } from 'react';
import { isApiError } from '../../api/client.js';
import { explain } from './explain.js';
import { Notice } from './notice.js';

interface ProblemProps {
  readonly error: Error | null;
  /** Actions that resolve it, as buttons. */
  readonly children?: ReactNode;
}

/**
 * An error of an action, explained where the user attempted it. If the session has ended, the login says so, and after a
 * new login it is no longer true.
 */
export function Problem({ error, children }: ProblemProps): ReactElement | null {
  if (error === null || isApiError(error, 'UNAUTHENTICATED')) return null;
  const { title, text } = explain(error);
  return (
    <Notice tone="red" title={title} role="alert">
      <p>{text}</p>
      {children}
    </Notice>
  );
}
