import { ServiceError } from '../../core/errors.js';
import { jsonHash } from '../../core/json/canonical-json.js';
import {
  artifactPath,
  artifactsOf,
  isUploaded,
  type FailureReport,
  type InlineArtifact,
  type ReportedArtifact,
  type SuccessReport,
} from '@knowledge-warehouse/plugin/protocol';
import { noMessage } from '../../core/runs/failure-code.js';
import type { AttemptRef } from '../../core/runs/refs.js';
import type { Db } from '../database/connection.js';
import { dropStored, storeArtifacts } from '../object-store/store-artifacts.js';
import type { ObjectStore } from '../object-store/types.js';
import { findAttempt } from '../runs/runs.js';
import type { ExpectedUpload } from '../uploads.js';
import { reportAttempt, type Outcome, type Reported } from './report-attempt.js';

/**
 * Accepts a worker's report, from a callback or from the response to a delivery: stores the contents of its artifacts,
 * then settles the attempt. If the report is rejected or a duplicate, nothing stays in the object store. The report
 * must be validated already. Throws as `reportAttempt` does, VALIDATION_FAILED for an upload of another attempt (the
 * attempt then stays open), and STORAGE_UNAVAILABLE.
 *
 * @param options.awaited Whether the caller wakes the workflow itself.
 * @param options.hash The `jsonHash` of the whole report, if the caller knows it.
 */
export async function acceptReport(
  { db, objectStore }: { readonly db: Db; readonly objectStore: ObjectStore },
  ref: AttemptRef,
  report: SuccessReport | FailureReport,
  { awaited, hash = jsonHash(report) }: { readonly awaited: boolean; readonly hash?: string },
): Promise<Reported> {
  const options = { reportHash: hash, settledBy: 'REPORT', awaited } as const;
  if (report.status === 'FAILURE') return await reportAttempt(db, ref, toFailure(report), options);
  const open = (await findAttempt(db, ref))?.outcome === null;
  const { inline, uploads } = splitArtifacts(report);
  const artifacts = open ? await storeArtifacts(objectStore, ref.resourceId, inline) : [];
  try {
    const reported = await reportAttempt(db, ref, { kind: 'SUCCESS', artifacts, uploads }, options);
    if (reported.duplicate) await dropStored(objectStore, artifacts);
    return reported;
  } catch (error) {
    // After any other error the transaction may have committed, so the objects are kept.
    if (error instanceof ServiceError) await dropStored(objectStore, artifacts);
    throw error;
  }
}

/** Splits the artifacts of a report into those with inline content and those uploaded before. */
export function splitArtifacts(report: SuccessReport): {
  readonly inline: readonly InlineArtifact[];
  readonly uploads: readonly ExpectedUpload[];
} {
  const all = artifactsOf(report);
  return {
    inline: all.filter((artifact): artifact is InlineArtifact => !isUploaded(artifact)),
    uploads: all.flatMap((artifact: ReportedArtifact, position) =>
      isUploaded(artifact) ? [{ artifact, path: artifactPath(report, position) }] : [],
    ),
  };
}

function toFailure(report: FailureReport): Outcome {
  const error = report.error ?? {};
  return {
    kind: 'FAILURE',
    error: {
      code: error.code?.toWellFormed() || 'STEP_FAILED',
      message: error.message?.toWellFormed() || noMessage,
      details: error.details ?? {},
    },
    retryable: error.retryable ?? true,
    retryAfterSeconds: error.retry_after_seconds ?? null,
    timedOut: false,
  };
}
