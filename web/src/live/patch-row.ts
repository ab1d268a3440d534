import type { ListedResource, Step } from '@knowledge-warehouse/client';
import type { ResourceFields, StepFields } from './events.js';

/** Returns a row updated from events. Ignores events of runs other than the row's. */
export function patchRow<Row extends ListedResource>(
  row: Row,
  resource: ResourceFields | undefined,
  steps: readonly StepFields[],
): Row {
  const next = { ...row };
  if (resource !== undefined && resource.run >= row.run) {
    const { name, type, status, run, is_enabled, updated_at, error } = resource;
    Object.assign(next, { name, type, status, run, is_enabled, updated_at });
    next.error = error && { ...error, message: error.message ?? '' };
    if (run > row.run && row.steps !== undefined) next.steps = row.steps.map(begun);
  }
  for (const fields of steps) {
    const step = next.steps?.[fields.index];
    if (fields.run !== next.run || step === undefined || next.steps === undefined) continue;
    next.steps = next.steps.with(fields.index, patchStep(step, fields));
  }
  return next;
}

function patchStep(step: Step, fields: StepFields): Step {
  const { index, plugin_id, status, attempt, max_attempts, progress, waiting_for } = fields;
  const { started_at, attempt_started_at, finished_at, queue_seconds, run_seconds } = fields;
  const error = fields.error && {
    code: fields.error.code,
    message: fields.error.message ?? '',
    // The details come with the resource, if it is shown.
    details: fields.error.code === step.error?.code ? step.error.details : {},
  };
  return {
    index,
    plugin_id,
    status,
    attempt,
    max_attempts,
    started_at,
    attempt_started_at,
    finished_at,
    queue_seconds,
    run_seconds,
    progress,
    waiting_for,
    error,
  };
}

/** Returns a step of a new run that has no events yet. */
const begun = (step: Step): Step => ({
  ...step,
  status: 'PENDING',
  attempt: 0,
  started_at: null,
  attempt_started_at: null,
  finished_at: null,
  queue_seconds: null,
  run_seconds: null,
  progress: null,
  error: null,
  waiting_for: null,
});
