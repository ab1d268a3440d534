import type { ReactElement } from 'react';
import type { Step } from '@knowledge-warehouse/client';
import { formatDuration } from '../../parts/format.js';
import { Duration } from '../../parts/time.js';

/** Shows how long a step waited for a worker and how long workers ran it, or only the total if that is unknown. */
export function StepTimes({ step }: { readonly step: Step }): ReactElement | null {
  const { status, started_at, attempt_started_at, finished_at, queue_seconds, run_seconds } = step;
  if (started_at === null) return null;
  const isAtWork = status === 'RUNNING' || status === 'RETRYING';
  const queued = queue_seconds !== null && <span>queued {formatDuration(queue_seconds * 1000)}</span>;
  if (run_seconds !== null)
    return (
      <>
        {queued}
        <span className="tabular">ran {formatDuration(run_seconds * 1000)}</span>
      </>
    );
  if (status === 'RUNNING' && attempt_started_at !== null)
    return (
      <>
        {queued}
        <span>
          runs <Duration from={attempt_started_at} to={null} />
        </span>
      </>
    );
  return (
    <>
      {queued}
      <Duration from={started_at} to={isAtWork ? null : finished_at} />
    </>
  );
}
