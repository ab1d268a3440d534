import { isMilliseconds, isObject, isRunInstruction, isWithin } from '../core/runs/run-input.js';
import type { Delivery, Instruction, StepSnapshot } from '../core/runs/run-protocol.js';
import { runStatuses } from '../core/states.js';

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

/** An instruction that a run of these steps can follow; null if it is not one. */
export function toInstruction(value: unknown, steps: readonly StepSnapshot[]): Instruction | null {
  if (isRunInstruction(value, steps)) return value;
  if (!isObject(value)) return null;
  switch (value['do']) {
    case 'FETCH':
      return { do: 'FETCH' };
    case 'END':
      return isFinal(value['status']) ? (value as unknown as Instruction) : null;
    case 'WAIT': {
      const { attempt, remainingMs } = value;
      const step = steps.find(({ index }) => index === value['index']);
      if (step === undefined || !isWithin(attempt, 0) || !isMilliseconds(remainingMs)) return null;
      return { do: 'WAIT', index: step.index, attempt, remainingMs: atMostTimeout(remainingMs, step) };
    }
    default:
      return null;
  }
}

const atMostTimeout = (remainingMs: number, step: StepSnapshot): number =>
  Math.min(remainingMs, step.timeout_seconds * 1_000);

const isFinal = (status: unknown): boolean =>
  runStatuses.some((each) => each === status && each !== 'PROCESSING');
