import type { Resource, Step } from '@knowledge-warehouse/client';
import { bar, percent } from '../terminal/progress-bar.js';
import { plain } from '../terminal/text.js';
import { clock } from '../terminal/units.js';

/** Returns the current step of a resource: the first unfinished one. */
export function currentStep({ steps }: Resource): Step | null {
  return steps.find(({ status }) => status !== 'COMPLETED') ?? null;
}

/** Returns why a resource is FAILED or PENDING; null otherwise. */
export function troubleOf(resource: Resource): string | null {
  const { status, error, steps } = resource;
  if (status === 'PENDING')
    return resource.no_matching_pipeline
      ? `no pipeline has the type ${plain(resource.type)}`
      : 'a pipeline for its type now exists: "kw reprocess" starts it';
  if (status !== 'FAILED' || error === null) return null;
  const plugin = error.step === null ? undefined : steps[error.step]?.plugin_id;
  const where =
    error.step === null ? '' : ` at step ${error.step}${plugin === undefined ? '' : ` (${plugin})`}`;
  return plain(`failed${where}: ${error.code}: ${error.message}`);
}

/** Describes what a step waits for, and why it is retried. `time` formats until when. */
export function waitOf(step: Step, time: (at: string) => string): string | null {
  const parts = [reasonOf(step, time), retriedAfter(step)].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('; ');
}

function reasonOf({ waiting_for: waiting }: Step, time: (at: string) => string): string | null {
  if (waiting === null) return null;
  return plain(`${waiting.message}${waiting.until === null ? '' : ` (until ${time(waiting.until)})`}`);
}

const retriedAfter = ({ status, error }: Step): string | null =>
  status === 'RETRYING' && error !== null ? plain(`after ${error.code}: ${error.message}`) : null;

/** Describes for a file or a program what a resource waits for; null if it does not wait. */
export function waitReasonOf(resource: Resource): string | null {
  const step = resource.status === 'PROCESSING' ? currentStep(resource) : null;
  return step === null ? null : reasonOf(step, (at) => at);
}

/** Describes the state of a resource, without what it waits for. The text changes only when something happens. */
export function stateOf(resource: Resource): string {
  const step = currentStep(resource);
  if (resource.status !== 'PROCESSING' || step === null) {
    const trouble = troubleOf(resource);
    return trouble === null ? resource.status : `${resource.status}: ${trouble}`;
  }
  const attempt = step.attempt > 1 ? `, attempt ${step.attempt} of ${step.max_attempts}` : '';
  const after = retriedAfter(step);
  return `PROCESSING, ${placeOf(step)}, ${step.status}${attempt}${after === null ? '' : `: ${after}`}`;
}

/** Describes on a terminal the state of a resource, with the progress that its step reports. */
export function liveStateOf(resource: Resource): string {
  const step = currentStep(resource);
  if (resource.status !== 'PROCESSING' || step === null) return stateOf(resource);
  const { fraction = null, message = null } = step.progress ?? {};
  const details = [
    placeOf(step),
    ...(fraction === null ? [] : [`${bar(fraction)} ${percent(fraction)}`]),
    ...(step.attempt > 1 ? [`attempt ${step.attempt} of ${step.max_attempts}`] : []),
    waitOf(step, clock) ?? message ?? step.status.toLowerCase(),
  ];
  return plain(details.join('  '));
}

/** Counts steps from 0, as the table of `kw show` and `--from-step` do. */
const placeOf = (step: Step): string => `step ${step.index} (${step.plugin_id})`;
