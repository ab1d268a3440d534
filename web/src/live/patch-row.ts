import type { ListedResource } from '../api/types.js';
import type { ResourceFields, StepFields } from './events.js';

/** A row with what events say of it. What belongs to an earlier run than the row's is old and says nothing. */
export function patchRow<Row extends ListedResource>(
  row: Row,
  resource: ResourceFields | undefined,
  steps: readonly StepFields[],
): Row {
  const next = { ...row };
  if (resource !== undefined && resource.run >= row.run) {
    const { name, type, status, run, is_enabled, updated_at, error } = resource;
    Object.assign(next, { name, type, status, run, is_enabled, updated_at, error });
    // A new run begins with steps that nobody has told of yet.
    if (run > row.run && row.steps !== undefined) {
      next.steps = row.steps.map((step) => ({
        ...step,
        status: 'PENDING',
        attempt: 0,
        started_at: null,
        finished_at: null,
        progress: null,
        error: null,
        waiting_for: null,
      }));
    }
  }
  for (const { run, index, status, attempt, max_attempts, progress, error } of steps) {
    const step = next.steps?.[index];
    if (run !== next.run || step === undefined || next.steps === undefined) continue;
    const waiting_for = status === 'RUNNING' || status === 'RETRYING' ? step.waiting_for : null;
    next.steps = next.steps.with(index, {
      ...step,
      status,
      attempt,
      max_attempts,
      progress,
      error,
      waiting_for,
    });
  }
  return next;
}
