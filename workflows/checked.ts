import { isMilliseconds, isObject, isRunInstruction, isWithin } from '../core/runs/run-input.js';
import {
  longestPauseSeconds,
  type Delivery,
  type Instruction,
  type StepSnapshot,
} from '../core/runs/run-protocol.js';
import { runStatuses, type FinalStatus } from '../core/states.js';

/*
 * Signals and results are untrusted: anyone with access to Temporal can send them, such as an operator who
 * completes an activity by hand. An unchecked `null` would throw, and Temporal would retry the workflow task
 * forever.
 */

/** The index of the step that a signal names; null if it names none. */
export function stepOfSignal(report: unknown): number | null {
  return isObject(report) && typeof report['index'] === 'number' ? report['index'] : null;
}

/**
 * The result of `deliverStep` for a step, with a wait of at most its timeout; null if it is anything else. In that case,
 * and after the wait, the attempt's row decides.
 */
export function toDelivery(value: unknown, step: StepSnapshot): Delivery | null {
  if (!isObject(value)) return null;
  const { attempt, remainingMs, settled } = value;
  if (!isWithin(attempt, 0) || !isMilliseconds(remainingMs) || typeof settled !== 'boolean') return null;
  return { attempt, remainingMs: atMostTimeout(remainingMs, step), settled };
}

/**
 * An instruction that a run of these steps can follow, with a wait or pause of at most what the step allows; null if it
 * is anything else.
 */
export function toInstruction(value: unknown, steps: readonly StepSnapshot[]): Instruction | null {
  if (isRunInstruction(value, steps))
    return { ...value, delayMs: atMostPause(value.delayMs, stepOf(value, steps)) };
  if (!isObject(value)) return null;
  switch (value['do']) {
    case 'FETCH':
      return { do: 'FETCH' };
    case 'END': {
      const { status, code, message, cancelled } = value;
      if (!isFinal(status) || !isTextOrNull(code) || !isTextOrNull(message)) return null;
      if (cancelled === undefined) return { do: 'END', status, code, message };
      if (!isObject(cancelled)) return null;
      const { index, attempt } = cancelled;
      if (!isWithin(index, 0) || !isWithin(attempt, 1)) return null;
      return { do: 'END', status, code, message, cancelled: { index, attempt } };
    }
    case 'WAIT': {
      const { attempt, remainingMs } = value;
      const step = stepOf(value, steps);
      if (step === undefined || !isWithin(attempt, 0) || !isMilliseconds(remainingMs)) return null;
      return { do: 'WAIT', index: step.index, attempt, remainingMs: atMostTimeout(remainingMs, step) };
    }
    default:
      return null;
  }
}

const atMostTimeout = (remainingMs: number, step: StepSnapshot): number =>
  Math.min(remainingMs, step.timeout_seconds * 1_000);

/** The longest pause that Core itself makes. */
const atMostPause = (delayMs: number, step: StepSnapshot | undefined): number =>
  Math.min(delayMs, Math.max(step?.backoff_seconds ?? 0, longestPauseSeconds) * 1_000);

const stepOf = (
  { index }: { readonly index?: unknown },
  steps: readonly StepSnapshot[],
): StepSnapshot | undefined => steps.find((step) => step.index === index);

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

const isFinal = (status: unknown): status is FinalStatus =>
  runStatuses.some((each) => each === status && each !== 'PROCESSING');
