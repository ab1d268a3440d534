import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import type { Resource, Step } from '@knowledge-warehouse/client';
import { looks } from '../../parts/status/status.js';
import { StatusBadge } from '../../parts/status/status-badge.js';
import { RunFromHere } from './run-from-here.js';
import { StepTimes } from './step-times.js';
import { StepError } from './step-error.js';
import { StepProgress } from './step-progress.js';
import { StepWait } from './step-wait.js';
import classes from './run-step.module.css';

interface RunStepProps {
  readonly resource: Resource;
  readonly step: Step;
  /** The run can be resumed at this step. */
  readonly canRunFrom: boolean;
  /** The artifacts of the step. */
  readonly children: ReactNode;
}

/** A step of a run: its state, wait, error and artifacts. */
export function RunStep({ resource, step, canRunFrom, children }: RunStepProps): ReactElement {
  const { index, plugin_id, status, attempt, max_attempts, waiting_for, error } = step;
  const { Icon, tone } = looks[status];
  const isAtWork = status === 'RUNNING' || status === 'RETRYING';
  return (
    <li className={classes.step} data-tone={tone} data-status={status}>
      <span className={classes.node} aria-hidden>
        <Icon size={20} stroke={1.8} className={status === 'RUNNING' ? classes.turning : undefined} />
      </span>
      <div className={classes.body}>
        <div className={classes.head}>
          <h3 className={classes.name}>
            <span className={classes.number}>{index + 1}.</span>{' '}
            <Link href={`/plugins/${plugin_id}`}>{plugin_id}</Link>
          </h3>
          <StatusBadge status={status} />
          <span className={classes.facts}>
            {attempt > 0 && (attempt > 1 || isAtWork || status === 'FAILED') && (
              <span>
                attempt {attempt} of {max_attempts}
              </span>
            )}
            <StepTimes step={step} />
          </span>
          {canRunFrom && index > 0 && <RunFromHere resource={resource} step={step} />}
        </div>
        {status === 'RUNNING' && <StepProgress step={step} />}
        {waiting_for !== null && <StepWait waiting={waiting_for} />}
        {error !== null && <StepError error={error} isFinal={!isAtWork} />}
        {children}
      </div>
    </li>
  );
}
