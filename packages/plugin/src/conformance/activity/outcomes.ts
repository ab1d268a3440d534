import { findMisreport, maxResultBytes } from '../../protocol/report.js';
import { isOutcome, outcomesOf, type Outcome } from '../attempt.js';
import { describeOutcome, seconds } from '../words.js';
import { readReport } from '../read-report.js';
import type { ReadResult } from './ends.js';
import type { ActivityKit, OfferedStep } from './kit.js';

/** Converts a result to a report. Without a return value, it is a success without artifacts. */
function asReport({ value }: ReadResult): object {
  const { artifacts = [] } = (value ?? {}) as { readonly artifacts?: unknown };
  return { status: 'SUCCESS', artifacts };
}

/** Returns the faults of an activity's result; empty if it is valid. */
export function faultsOfResult(result: ReadResult, { attempts }: OfferedStep): readonly string[] {
  if (result.fault !== null) return [result.fault];
  if (result.value !== null && typeof result.value !== 'object') return ['it is not an object'];
  const misreport = findMisreport(result.value ?? {});
  if (misreport !== null) return [`it ${misreport}`];
  if (result.bytes > maxResultBytes)
    return [`it has ${result.bytes} bytes; at most ${maxResultBytes} are allowed`];
  const uploads = new Map(attempts.flatMap((attempt) => [...attempt.uploads]));
  return readReport(Buffer.from(JSON.stringify(asReport(result))), { uploads }).faults;
}

/** Returns the artifacts that an activity returned, unchecked. */
export function returnedArtifacts({ offer: { end } }: OfferedStep): readonly unknown[] {
  if (end?.kind !== 'COMPLETED') return [];
  const { artifacts } = (end.result.value ?? {}) as { readonly artifacts?: unknown };
  return Array.isArray(artifacts) ? (artifacts as unknown[]) : [];
}

/** Returns the outcome that the worker itself reported for its attempt, or null. */
export function reportedOutcome({ attempts }: OfferedStep): Outcome | null {
  return attempts.find(({ outcome }) => outcome !== null)?.outcome ?? null;
}

/** Whether a step succeeded, as decided by Core: a reported outcome takes precedence over how the activity ends. */
export function hasSucceeded(step: OfferedStep): boolean {
  const reported = reportedOutcome(step);
  if (reported !== null) return reported.status === 'SUCCESS';
  const { end } = step.offer;
  return end?.kind === 'COMPLETED' && faultsOfResult(end.result, step).length === 0;
}

export const hasOutcome = (step: OfferedStep): boolean =>
  reportedOutcome(step) !== null || step.offer.end !== null;

export function describeEnd(step: OfferedStep, { timeoutMs }: Pick<ActivityKit, 'timeoutMs'>): string {
  const reported = reportedOutcome(step);
  if (reported !== null) return describeOutcome(reported);
  const { end } = step.offer;
  if (end === null) {
    const refused = step.attempts.flatMap(({ reports }) => reports).find(({ faults }) => faults.length > 0);
    const why = refused === undefined ? '' : `; a report was refused (${refused.faults.join('; ')})`;
    return step.claims.length === 0 && step.attempts.length === 0
      ? `no outcome within ${seconds(timeoutMs)}: no worker took the step, or one works on it without a claim`
      : `it did not end within ${seconds(timeoutMs)}${why}`;
  }
  switch (end.kind) {
    case 'COMPLETED':
      return `a result that Core refuses: ${faultsOfResult(end.result, step).join('; ')}`;
    case 'FAILED':
      return `it threw ${end.type || 'an error'}: ${end.message.slice(0, 300)}`;
    case 'TIMED_OUT':
      return end.isHeartbeat ? 'no heartbeat arrived in time' : 'it timed out';
    case 'CANCELLED':
      return 'it ended as cancelled';
  }
}

/** Describes the outcomes of an attempt that has several; null if it has one. */
export function describeSeveral(step: OfferedStep): string | null {
  const { end } = step.offer;
  for (const attempt of step.attempts) {
    const [first, ...more] = outcomesOf(attempt).map(({ report }) => report);
    const other = more.find((report) => JSON.stringify(report) !== JSON.stringify(first));
    if (!isOutcome(first ?? null)) continue;
    if (other !== undefined)
      return `${first?.status ?? ''} and then another ${other?.status ?? ''} by the callback`;
    const isLast = attempt === step.attempts.at(-1);
    if (!isLast || end === null) continue;
    if (returnedArtifacts(step).length > 0)
      return `${first?.status ?? ''} by the callback, and artifacts as the result`;
    if (first?.status === 'SUCCESS' && end.kind === 'FAILED')
      return `SUCCESS by the callback, and then it threw ${end.type || 'an error'}: ${end.message.slice(0, 200)}`;
  }
  return null;
}
