import type { ReactElement, ReactNode } from 'react';
import type { System } from '@knowledge-warehouse/client';
import { HealthNote } from '../../parts/status/health-note.js';
import classes from './system-view.module.css';

interface PartStateProps {
  readonly check: System['checks']['temporal'];
  /** More details about the part. */
  readonly children?: ReactNode;
}

/** Shows whether a part responds, and why not. */
export const PartState = ({ check: { status, message }, children }: PartStateProps): ReactElement => (
  <span className={classes.part}>
    <HealthNote
      health={
        status === 'ok'
          ? { tone: 'green', text: 'Answers' }
          : { tone: 'amber', text: message ?? 'Does not answer' }
      }
    />
    {children}
  </span>
);
