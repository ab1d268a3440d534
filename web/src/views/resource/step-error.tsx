import type { ReactElement } from 'react';
import type { Step } from '@knowledge-warehouse/client';
import classes from './step-error.module.css';

interface StepErrorProps {
  readonly error: NonNullable<Step['error']>;
  /** No further attempt follows. */
  readonly isFinal: boolean;
}

/** Shows why the last attempt failed, in the words of the component that failed. */
export function StepError({ error, isFinal }: StepErrorProps): ReactElement {
  const { code, message, details } = error;
  return (
    <div className={classes.error} data-final={isFinal || undefined}>
      <p>
        {!isFinal && <span>Previous attempt: </span>}
        <code className={classes.code}>{code}</code>
      </p>
      <p className={classes.message} dir="auto">
        {message}
      </p>
      {Object.keys(details).length > 0 && (
        <details>
          <summary>Details</summary>
          {/* Focusable, so that the keyboard can scroll long lines. */}
          <pre tabIndex={0} role="region" aria-label="Details of the error" className={classes.details}>
            {JSON.stringify(details, null, 2)}
          </pre>
        </details>
      )}
    </div>
  );
}
