import type { Resource, Step } from '@knowledge-warehouse/client';
import { bar, percent } from '../terminal/progress-bar.js';
import { plain } from '../terminal/text.js';
import { clock } from '../terminal/units.js';

/** Returns the current step of a resource: the first unfinished one. */
export function currentStep({ steps }: Resource): Step | null {
  return steps.find(({ status }) => status !== 'COMPLETED') ?? null;
}

/** Returns why a resource is FAILED or has no pipeline; null otherwise. */
export function troubleOf(resource: Resource): string | null {
  const { status, error, steps } = resource;
  if (status === 'PENDING') return `no pipeline has the type ${plain(resource.type)}`;
  if (status !== 'FAILED' || error === null) return null;
  const plugin = error.step === null ? undefined : steps[error.step]?.plugin_id;
  const where =
    error.step === null ? '' : ` at step ${error.step}${plugin === undefined ? '' : ` (${plugin})`}`;
  return plain(`failed${where}: ${error.code}: ${error.message}`);
}

/** Describes what a step waits for, and why it is retried. */
export function waitOf({ waiting_for: waiting, error, status }: Step): string | null {
  const after = status === 'RETRYING' && error !== null ? `after ${error.code}: ${error.message}` : null;
  if (waiting === null) return after === null ? null : plain(after);
  const until = waiting.until === null ? '' : ` (until ${clock(waiting.until)})`;
  return plain([`${waiting.message}${until}`, ...(after === null ? [] : [after])].join('; '));
}

/** Describes the state of a resource. The text changes only when something happens. */
export function stateOf(resource: Resource): string {
  const step = currentStep(resource);
  if (resource.status !== 'PROCESSING' || step === null) {
    const trouble = troubleOf(resource);
    return trouble === null ? resource.status : `${resource.status}: ${trouble}`;
  }
  const attempt = step.attempt > 1 ? `, attempt ${step.attempt} of ${step.max_attempts}` : '';
  const wait = waitOf(step);
  return `PROCESSING, step ${placeOf(resource, step)}, ${step.status}${attempt}${wait === null ? '' : `: ${wait}`}`;
}

/** Describes the state of a resource, with the progress that its step reports. */
export function liveStateOf(resource: Resource): string {
  const step = currentStep(resource);
  if (resource.status !== 'PROCESSING' || step === null) return stateOf(resource);
  const { fraction = null, message = null } = step.progress ?? {};
  const details = [
    placeOf(resource, step),
    ...(fraction === null ? [] : [`${bar(fraction)} ${percent(fraction)}`]),
    ...(step.attempt > 1 ? [`attempt ${step.attempt} of ${step.max_attempts}`] : []),
    waitOf(step) ?? message ?? step.status.toLowerCase(),
  ];
  return plain(details.join('  '));
}

const placeOf = ({ steps }: Resource, step: Step): string =>
  `${step.index + 1} of ${steps.length} (${step.plugin_id})`;
