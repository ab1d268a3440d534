import { ServiceError, validationFailed } from '../core/errors.js';
import { checkArtifacts } from '../core/wire/artifact-rules.js';
import { checkFailure } from '../core/wire/failure-details.js';
import { maxInlineContentBytes, type Report } from '../core/wire/report.js';
import { inSpan } from '../runtime/tracing/spans.js';
import { acceptReport } from '../storage/transitions/accept-report.js';
import { reportProgress } from '../storage/transitions/report-attempt.js';
import type { ApiDeps } from './deps.js';
import type { Admitted } from './token.js';

/** Refuses a report with an inline content that is too long, before anything else in it is looked at. */
export function refuseOversize(body: unknown): void {
  const { artifact, artifacts } = (body ?? {}) as { artifact?: unknown; artifacts?: unknown };
  for (const candidate of [artifact, ...(Array.isArray(artifacts) ? (artifacts as unknown[]) : [])]) {
    const content = (candidate as { content?: unknown } | null | undefined)?.content;
    if (content === undefined) continue;
    const bytes = Buffer.byteLength(typeof content === 'string' ? content : JSON.stringify(content));
    if (bytes > maxInlineContentBytes) {
      throw new ServiceError(
        'PAYLOAD_TOO_LARGE',
        `An inline content has at most ${maxInlineContentBytes} bytes.`,
        {
          limit_bytes: maxInlineContentBytes,
        },
      );
    }
  }
}

export interface Accepted {
  readonly accepted: true;
  readonly duplicate: boolean;
  readonly cancel_requested: boolean;
}

/** Takes a valid report of the admitted worker and wakes the run that waits for it. */
export async function takeReport(deps: ApiDeps, { ref }: Admitted, report: Report): Promise<Accepted> {
  if (report.status === 'PROGRESS') {
    const { fraction, message } = report.progress;
    const { cancelRequested } = await reportProgress(deps.db, ref, {
      fraction: fraction ?? null,
      message: message?.toWellFormed() ?? null,
    });
    return { accepted: true, duplicate: false, cancel_requested: cancelRequested };
  }
  const findings = report.status === 'SUCCESS' ? checkArtifacts(report) : checkFailure(report);
  if (findings.length > 0) throw validationFailed(...findings);
  const { duplicate, cancelRequested, step } = await inSpan('settle attempt', {}, () =>
    acceptReport(deps, ref, report, false),
  );
  if (!duplicate && step.kind === 'http') wake(deps, ref);
  return { accepted: true, duplicate, cancel_requested: cancelRequested };
}

/**
 * Fails an attempt for good whose source or input is missing or damaged, before its worker could work on half of it or ask
 * again. One that is closed by now stays as it is.
 */
export function failAttempt(deps: ApiDeps, admitted: Admitted): (error: ServiceError) => Promise<void> {
  return async ({ code, message, details }) => {
    try {
      const error = { code, message, details, retryable: false };
      await takeReport(deps, admitted, { status: 'FAILURE', error });
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'ATTEMPT_CLOSED')) throw error;
    }
  };
}

/** Signals the run; a signal that fails is sent by the sweeper. */
function wake(deps: ApiDeps, ref: Admitted['ref']): void {
  deps.workflows
    .signalReport(ref.resourceId, ref.run, { index: ref.stepIndex, attempt: ref.attempt })
    .catch((err: unknown) => deps.log.warn({ err }, 'a signal is left to the sweeper'));
}
