import type { ReactElement, ReactNode } from 'react';
import type { System } from '@knowledge-warehouse/client';
import { HealthNote } from '../../parts/health-note.js';
import classes from './system-view.module.css';

interface PartStateProps {
  readonly check: System['checks']['temporal'];
  /** What else is known of it. */
  readonly children?: ReactNode;
}

/** Whether a part answers, and why not. */
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
