import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import type { Resource, Step } from '@knowledge-warehouse/client';
import { newId } from '../../api/new-id.js';
import { useChangeResource } from '../../api/resources.js';
import { useRefusal } from '../../parts/actions/permission.js';
import { showDone, showProblem } from '../../parts/messages/notices.js';
import { looks } from '../../parts/status/status.js';
import { StatusBadge } from '../../parts/status/status-badge.js';
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

/** Resumes the run at a step, with the results of the steps before it. */
function RunFromHere({ resource, step }: Pick<RunStepProps, 'resource' | 'step'>): ReactElement | null {
  const change = useChangeResource(resource.id);
  const isForbidden = useRefusal('write') !== null;
  if (isForbidden) return null;
  const run = (): void =>
    change.mutate(
      { kind: 'reprocess', fromStep: step.index, idempotencyKey: newId() },
      { onSuccess: () => showDone(`Running again from ${step.plugin_id}`), onError: showProblem },
    );
  return (
    <Tooltip label="Run again from this step">
      <ActionIcon
        className={classes.again}
        variant="subtle"
        color="gray"
        aria-label={`Run again from ${step.plugin_id}`}
        loading={change.isPending}
        onClick={run}
      >
        <IconPlayerTrackNext size={16} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
