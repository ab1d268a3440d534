import type { Delivery, Instruction, StepSnapshot } from '../core/run-protocol.js';

/*
 * What signals and activities bring may come from anybody who reaches Temporal: an operator who completes an activity by
 * hand, say. Read unchecked, a `null` would throw, and Temporal would try the workflow task again for ever.
 */

/** The index of the step that a signal is about; null: it is about none. */
export function stepOfSignal(report: unknown): number | null {
  return isObject(report) && typeof report.index === 'number' ? report.index : null;
}

/** What `deliverStep` returned; null: something else, and the attempt's row is to be asked. */
export function toDelivery(value: unknown): Delivery | null {
  if (!isObject(value)) return null;
  const { attempt, remainingMs, settled } = value;
  if (!isCount(attempt) || !isCount(remainingMs) || typeof settled !== 'boolean') return null;
  return { attempt, remainingMs, settled };
}

/** What the run is told to do; null: it is no instruction that a run of these steps can follow. */
export function toInstruction(value: unknown, steps: readonly StepSnapshot[]): Instruction | null {
  if (!isObject(value)) return null;
  const { do: what } = value;
  if (what === 'FETCH') return { do: what };
  if (what === 'END')
    return ['COMPLETED', 'FAILED', 'CANCELLED'].includes(String(value.status))
      ? (value as unknown as Instruction)
      : null;
  if (what !== 'RUN' && what !== 'WAIT') return null;
  const isKnown = steps.some((step) => step.index === value.index);
  const counts = what === 'RUN' ? [value.attemptBase, value.delayMs] : [value.attempt, value.remainingMs];
  const isPossible = what === 'WAIT' || (isCount(value.attemptsLeft) && value.attemptsLeft >= 1);
  return isKnown && isPossible && counts.every(isCount) ? (value as unknown as Instruction) : null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(Math.trunc(value)) && value >= 0;
