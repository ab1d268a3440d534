import type { ReactElement } from 'react';
import type { ListedResource, Step } from '@knowledge-warehouse/client';
import { formatDuration, plural } from '../../parts/format.js';
import { looks } from '../../parts/status/status.js';
import classes from './step-marks.module.css';

interface StepMarksProps {
  readonly resource: ListedResource;
  /** The long wait to explain; null: none. */
  readonly waiting: Step['waiting_for'];
}

/** The progress of a run: a mark for each step, and the name of the running one. */
export function StepMarks({ resource, waiting }: StepMarksProps): ReactElement | null {
  const { steps = [] } = resource;
  if (steps.length === 0) return null;
  return (
    <div className={classes.progress}>
      <div className={classes.marks} aria-hidden>
        {steps.map((step) => (
          <span key={step.index} className={classes.mark} data-tone={tone(step)}>
            {step.status === 'RUNNING' && <Fill fraction={step.progress?.fraction ?? null} />}
          </span>
        ))}
      </div>
      <span className={classes.text}>{describe(resource, steps, waiting)}</span>
    </div>
  );
}

function Fill({ fraction }: { readonly fraction: number | null }): ReactElement {
  return fraction === null ? (
    <span className={classes.working} />
  ) : (
    <span className={classes.fill} style={{ width: `${fraction * 100}%` }} />
  );
}

const tone = (step: Step): string => (step.status === 'PENDING' ? 'none' : looks[step.status].tone);

function describe(resource: ListedResource, steps: readonly Step[], waiting: Step['waiting_for']): string {
  const { status, error, started_at, finished_at } = resource;
  const count = steps.length;
  const current = steps.find((step) => step.status !== 'COMPLETED');
  if (current === undefined) {
    const took = Date.parse(finished_at ?? '') - Date.parse(started_at ?? '');
    const all = plural(count, 'step');
    return took >= 0 ? `${all} in ${formatDuration(took)}` : all;
  }
  const place = `${current.index + 1} of ${count}`;
  if (status === 'FAILED') {
    const failed = error === null || error.step === null ? undefined : steps[error.step];
    return (error?.code ?? 'failed') + (failed === undefined ? '' : ` at ${failed.plugin_id}`);
  }
  if (status === 'CANCELLED') return `stopped at ${current.plugin_id}`;
  const { attempt, progress } = current;
  if (waiting !== null) return `${current.plugin_id}: ${waiting.message}`;
  const parts = [
    current.plugin_id,
    place,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(progress?.message ? [progress.message] : []),
  ];
  return parts.join(' · ');
}
