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

/** The result of `deliverStep`; null if it is anything else, in which case the attempt's row decides. */
export function toDelivery(value: unknown): Delivery | null {
  if (!isObject(value)) return null;
  const { attempt, remainingMs, settled } = value;
  if (!isWithin(attempt, 0) || !isMilliseconds(remainingMs) || typeof settled !== 'boolean') return null;
  return { attempt, remainingMs, settled };
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
      const isKnown = steps.some((step) => step.index === value['index']);
      const isWait = isKnown && isWithin(value['attempt'], 0) && isMilliseconds(value['remainingMs']);
      return isWait ? (value as unknown as Instruction) : null;
    }
    default:
      return null;
  }
}

const isFinal = (status: unknown): boolean =>
  runStatuses.some((each) => each === status && each !== 'PROCESSING');
