import type { AttemptOutcome, StepError } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import { fromAttemptRow, type AttemptRow } from './runs.js';
import { failureOf, pauseAfter } from '../transitions/follow-attempt.js';

/** An attempt at a step, with the times its waits are computed from. */
export interface ListedAttempt {
  readonly run: number;
  readonly step_index: number;
  readonly number: number;
  /** When a worker started it; null for activities that do not claim attempts. */
  readonly started_at: Date | null;
  /** When an HTTP worker answered 202. */
  readonly accepted_at: Date | null;
  readonly deadline: Date;
  readonly settled_at: Date | null;
  readonly outcome: AttemptOutcome | null;
  readonly error: StepError | null;
  /** When the pause after this attempt ends; null if it is not retried. */
  readonly retry_at: Date | null;
}

/** The cursor of a page of attempts: the page holds those before it. */
export type AttemptPosition = readonly [run: number, stepIndex: number, number: number];

interface Row extends AttemptRow {
  readonly accepted_at: Date | null;
  readonly backoff_seconds: number;
}

/** The attempts of all runs of a resource, or of one run, newest first. */
export async function listAttempts(
  db: Db,
  resourceId: string,
  page: { readonly run: number | null; readonly limit: number; readonly before: AttemptPosition | null },
): Promise<ListedAttempt[]> {
  const query = db('attempts as a')
    .joinRaw('join steps s on (s.resource_id, s.run, s.index) = (a.resource_id, a.run, a.step_index)')
    .where('a.resource_id', resourceId);
  if (page.run !== null) void query.where('a.run', page.run);
  if (page.before !== null) void query.whereRaw('(a.run, a.step_index, a.number) < (?, ?, ?)', page.before);
  const rows: Row[] = await query
    .select('a.*', 's.backoff_seconds')
    .orderByRaw('a.run desc, a.step_index desc, a.number desc')
    .limit(page.limit);
  return rows.map(fromRow);
}

function fromRow(row: Row): ListedAttempt {
  const { run, step_index, number, max, accepted_at, deadline, settled_at, outcome } = row;
  const attempt = fromAttemptRow(row);
  const failure = outcome === 'FAILURE' || outcome === 'TIMED_OUT' ? failureOf(attempt) : null;
  const isRetried = failure !== null && settled_at !== null && failure.retryable && number < max;
  return {
    run,
    step_index,
    number,
    // It was never claimed: its row was written when its activity ended.
    started_at: row.started_at.getTime() === settled_at?.getTime() ? null : row.started_at,
    accepted_at,
    deadline,
    settled_at,
    outcome,
    error: failure?.error ?? (outcome === 'SUPERSEDED' ? attempt.error : null),
    retry_at: isRetried
      ? new Date(settled_at.getTime() + pauseAfter(row, failure.retryAfterSeconds) * 1000)
      : null,
  };
}
