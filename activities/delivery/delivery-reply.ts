import { findInfinite, isTooDeep, tooDeep } from '../../core/json/json-bounds.js';
import {
  checkArtifacts,
  checkNesting,
  findOversizeArtifact,
  checkFailure,
  artifactsOf,
  readRetryAfter,
  reportSchema,
  type FailureReport,
  type Report,
  type SuccessReport,
  type ValidationFinding,
} from '@knowledge-warehouse/plugin/protocol';
import { findingsOf, firstReason } from '../../runtime/content/json-schema.js';
import type { FailedAttempt } from '../../storage/transitions/report-attempt.js';

/** The meaning of a worker's answer to a delivery. */
export type DeliveryReply =
  | { readonly kind: 'TAKEN' }
  | { readonly kind: 'REPORT'; readonly report: SuccessReport | FailureReport }
  | FailedAttempt;

/** Throws for other encodings. Removes a byte order mark, which some platforms write and RFC 8259 lets a reader ignore. */
const decodeUtf8 = new TextDecoder('utf-8', { fatal: true });
const retryableStatuses = new Set([408, 425, 429]);

/**
 * Interprets the answer of an HTTP worker: 202 accepts the step; 200 carries its outcome; 408, 425, 429 and
 * 5xx ask for another attempt; any other 4xx rejects the step; everything else is not a valid report.
 */
export function readReply(reply: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}): DeliveryReply {
  const { status } = reply;
  if (status === 202) return { kind: 'TAKEN' };
  if (status === 200) return readReport(reply.body);
  if (status >= 500 || retryableStatuses.has(status)) {
    return failedDelivery(
      'DELIVERY_FAILED',
      `The worker answered ${status}.`,
      { status },
      // oxlint-disable-next-line no-restricted-properties -- the worker gives a time of day by its own clock
      readRetryAfter([reply.headers['retry-after']].flat()[0], Date.now()),
    );
  }
  if (status >= 400) {
    return {
      ...failedDelivery('DELIVERY_REJECTED', `The worker answered ${status}.${hintFor(status)}`, { status }),
      retryable: false,
    };
  }
  const message = `The worker answered ${status}, which is neither 200 nor 202.`;
  return failedDelivery('INVALID_REPORT', message, { status });
}

const hintFor = (status: number): string =>
  status === 401 || status === 403
    ? ' It must know the signing secret of the plugin, and its clock may be wrong by at most five minutes.'
    : '';

function readReport(body: Buffer): DeliveryReply {
  let report: Report;
  try {
    report = JSON.parse(decodeUtf8.decode(body)) as Report;
  } catch {
    const message = 'The worker answered 200 with a body that is not JSON in UTF-8.';
    return failedDelivery('INVALID_REPORT', message, {});
  }
  const unbounded = isTooDeep(report) ? [tooDeep] : findInfinite(report);
  const errors = unbounded.length > 0 ? unbounded : findingsOf(reportSchema, report);
  if (errors.length === 0 && report.status === 'FAILURE') errors.push(...checkFailure(report));
  if (errors.length === 0 && report.status === 'SUCCESS') {
    errors.push(...checkArtifacts(report), ...checkNesting(report));
    const oversize = findOversizeArtifact(artifactsOf(report));
    if (oversize !== undefined)
      errors.push({ path: '', message: `the content of ${oversize.type} is longer than 1 MiB` });
  }
  if (errors.length > 0) return invalidReport(errors);
  if (report.status !== 'PROGRESS') return { kind: 'REPORT', report };
  const message = 'The worker answered 200 with a PROGRESS report, which is not an outcome.';
  return failedDelivery('INVALID_REPORT', message, {});
}

/** The failure of an attempt whose worker answered 200 with a report that breaks the rules. */
export function invalidReport(errors: readonly ValidationFinding[]): FailedAttempt {
  const message = `The worker answered 200 with an invalid report${firstReason(errors)}.`;
  return failedDelivery('INVALID_REPORT', message, { errors });
}

/** The failure of an attempt whose delivery came to nothing. Another attempt may succeed. */
export function failedDelivery(
  code: string,
  message: string,
  details: Record<string, unknown>,
  retryAfterSeconds: number | null = null,
): FailedAttempt {
  const error = { code, message, details };
  return { kind: 'FAILURE', error, retryable: true, retryAfterSeconds, timedOut: false };
}
