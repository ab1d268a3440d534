import type { FromSchema } from 'json-schema-to-ts';
import { ServiceError } from '../../core/errors.js';
import { RawJson } from '../../core/json/raw-json.js';
import { jsonHash } from '../../core/json/canonical-json.js';
import { mapArtifacts, type SuccessReport } from '@knowledge-warehouse/plugin/protocol';
import { inSpan } from '../../runtime/tracing/spans.js';
import { signalSent } from '../../storage/runs/runs.js';
import { acceptReport } from '../../storage/transitions/accept-report.js';
import { reportProgress } from '../../storage/transitions/report-attempt.js';
import type { ApiDeps } from '../deps.js';
import type { CondensedReport } from '../json-thread/body-forms.js';
import type { acceptedSchema } from '../schemas/internal.js';
import type { Admitted } from './worker-token.js';

type Accepted = FromSchema<typeof acceptedSchema>;

/** Accepts a valid report of an admitted worker and wakes the waiting run. */
export async function takeReport(
  deps: ApiDeps,
  { ref }: Admitted,
  { report, hash, metadata }: CondensedReport,
): Promise<Accepted> {
  if (report.status === 'PROGRESS') {
    const { fraction, message } = report.progress;
    const { cancelRequested } = await reportProgress(deps.db, ref, {
      fraction: fraction ?? null,
      message: message?.toWellFormed() ?? null,
    });
    return { accepted: true, duplicate: false, cancel_requested: cancelRequested };
  }
  const outcome = report.status === 'SUCCESS' ? withMetadata(report, metadata) : report;
  const { duplicate, cancelRequested, step } = await inSpan('settle attempt', {}, () =>
    acceptReport(deps, ref, outcome, { awaited: false, hash }),
  );
  if (!duplicate && step.kind === 'http') wake(deps, ref);
  return { accepted: true, duplicate, cancel_requested: cancelRequested };
}

/**
 * Permanently fails an attempt whose source or input is missing or damaged, so that the worker stops processing and
 * retrying. An attempt that is already closed stays unchanged.
 */
export function failAttempt(deps: ApiDeps, admitted: Admitted): (error: ServiceError) => Promise<void> {
  return async ({ code, message, details }) => {
    try {
      const error = { code, message, details, retryable: false };
      const report = { status: 'FAILURE', error } as const;
      await takeReport(deps, admitted, { report, hash: jsonHash(report), metadata: [] });
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'ATTEMPT_CLOSED')) throw error;
    }
  };
}

function withMetadata(report: SuccessReport, texts: CondensedReport['metadata']): SuccessReport {
  return mapArtifacts(report, (artifact, at) => {
    const text = texts[at] ?? null;
    return text === null ? artifact : { ...artifact, metadata: new RawJson(text) };
  });
}

/** Signals the run. If that fails or is not recorded, the sweeper sends the signal again. */
function wake(deps: ApiDeps, ref: Admitted['ref']): void {
  deps.workflows
    .signalReport(ref.resourceId, ref.run, { index: ref.stepIndex, attempt: ref.attempt })
    .then(() => signalSent(deps.db, ref))
    .catch((err: unknown) => deps.log.warn({ err }, 'a signal was not sent; the sweeper will retry'));
}
