import { isDeepStrictEqual } from 'node:util';
import { isOutcome, type Attempt, type Reply, type SeenReport } from './attempt.js';
import { readReport, type ReadReport } from './read-report.js';
import { accepted, attemptClosed, isJsonType, notJson, refuse } from './replies.js';

/**
 * Records a report and answers it as Core does, unless the attempt prescribes another answer.
 *
 * @param mediaType The Content-Type of the request
 */
export function takeReport(attempt: Attempt, body: Buffer, mediaType: string): Reply {
  const read = readReport(body, attempt);
  if (!isJsonType(mediaType)) {
    const faults = [`its Content-Type is ${mediaType || 'missing'}, not application/json`];
    keep(attempt, body, { ...read, report: null, faults, claimsProgress: false }, 'callback', 415);
    return notJson();
  }
  const reply = answer(attempt, read);
  keep(attempt, body, read, 'callback', reply.status);
  return reply;
}

/** Records a report without answering it. */
export function recordReport(attempt: Attempt, body: Buffer, via: SeenReport['via']): void {
  const read = readReport(body, attempt);
  if (isValid(read)) settle(attempt, read);
  keep(attempt, body, read, via, null);
}

const isValid = ({ isTooLarge, faults }: ReadReport): boolean => !isTooLarge && faults.length === 0;

function answer(attempt: Attempt, read: ReadReport): Reply {
  if (read.isTooLarge) return refuse(413, 'PAYLOAD_TOO_LARGE', 'The report or a content in it is too large.');
  if (read.report === null || read.faults.length > 0) {
    return refuse(400, 'VALIDATION_FAILED', `The report is invalid: ${read.faults.join('; ')}`);
  }
  const otherwise = attempt.behaviour.onReport?.(read.report, attempt);
  if (otherwise !== undefined) return otherwise;
  if (attempt.outcome !== null) {
    return isDeepStrictEqual(attempt.outcome, read.report) ? accepted(true) : attemptClosed('SETTLED');
  }
  settle(attempt, read);
  return accepted(false);
}

function settle(attempt: Attempt, { report }: ReadReport): void {
  if (isOutcome(report)) attempt.outcome ??= report;
}

function keep(
  attempt: Attempt,
  body: Buffer,
  read: ReadReport,
  via: SeenReport['via'],
  status: number | null,
): void {
  attempt.reports.push({ ...read, via, at: Date.now(), bytes: body.byteLength, status });
}
