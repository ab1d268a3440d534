import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import pLimit from 'p-limit';
import { messageOf, ServiceError } from '../core/errors.js';
import type { RunRef } from '../core/runs/refs.js';
import { storeFullType } from '../core/states.js';
import type { Deps } from '../runtime/deps.js';
import { detectMediaType } from '../runtime/content/media-type.js';
import { openUrl, OutgoingError } from '../runtime/outgoing/index.js';
import { isDatabaseUnavailable } from '../storage/database/connection.js';
import { isFull } from '../storage/object-store/errors.js';
import { newSourceKey } from '../storage/object-store/store-artifacts.js';
import { storeStream, type StoredStream } from '../storage/object-store/store-stream.js';
import { findRun } from '../storage/runs/runs.js';
import { noteFetchFailure, readUnfetchedUrl, sourceFetched } from '../storage/transitions/source-fetched.js';
import { interrupted, isShuttingDown, startHeartbeat } from './attempt-errors.js';
import { refused } from './activity-errors.js';
import { whenAvailable, whenAvailableToTheEnd } from './when-available.js';

interface FetchInput extends RunRef {
  /** How many tries of earlier fetches failed; a workflow of an earlier release leaves it out. */
  readonly failedTries?: number;
}

/**
 * Clients may name hosts whose name servers never answer. Each such lookup blocks one of the eight threads
 * that connections to our own stores also need, so sources get only half of them. The wait for one of these
 * must not fail the fetch of a host whose name servers answer.
 */
const lookups = pLimit(4);

/** The activity that fetches a source's URL once per run and stores it like an upload. */
export function createFetchSource(deps: Deps): (input: FetchInput) => Promise<void> {
  return async function fetchSource({ failedTries: failedEarlier = 0, ...ref }) {
    const context = Context.current();
    // Attempts that were lost with their worker do not count as tries, so only heartbeats tell how many have failed.
    const failedBefore = Number(context.info.heartbeatDetails ?? failedEarlier);
    const stopHeartbeat = startHeartbeat(context, failedBefore);
    try {
      const url = await whenAvailable(context, () => readUnfetchedUrl(deps.db, ref.resourceId, ref.run));
      if (url === null) {
        await whenAvailable(context, () => mustBeRegistered(deps, ref));
        return;
      }
      const object_key = newSourceKey(ref.resourceId);
      const stored = await fetchInto(deps, object_key, url, context.cancellationSignal);
      await whenAvailableToTheEnd(context, () => record(deps, ref, { ...stored, object_key }));
    } catch (error) {
      if (isShuttingDown(context))
        throw interrupted(context.info.attempt, 'The worker is shutting down', { failedTries: failedBefore });
      const isFailedTry = isFull(error) || error instanceof OutgoingError;
      const failedTries = failedBefore + (isFailedTry ? 1 : 0);
      context.heartbeat(failedTries);
      if (isFull(error)) throw ApplicationFailure.retryable(messageOf(error), storeFullType, { failedTries });
      if (error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE') {
        deps.log.warn({ err: error }, 'a source could not be stored');
        await showStoreAway(deps, ref, error);
        throw ApplicationFailure.retryable(error.message, error.code, { failedTries });
      }
      throw error instanceof OutgoingError ? toFailure(error, failedTries) : error;
    } finally {
      stopHeartbeat();
    }
  };
}

async function mustBeRegistered({ db }: Deps, { resourceId, run }: RunRef): Promise<void> {
  if ((await findRun(db, resourceId, run)) === null) throw refused('the run is not registered.');
}

async function fetchInto(deps: Deps, key: string, url: string, signal: AbortSignal): Promise<StoredStream> {
  const { maxUploadBytes, urlAllow, urlTimeoutSeconds } = deps.config;
  const opened = await openUrl(url, {
    policy: { allow: urlAllow, takeTurn: lookups },
    maxBytes: maxUploadBytes,
    timeoutMs: urlTimeoutSeconds * 1000,
    signal,
  });
  return await storeStream(deps.objectStore, key, opened.stream, {
    maxBytes: maxUploadBytes,
    signal,
    detect: (head) => detectMediaType(head, { fileName: opened.fileName, declared: opened.mediaType }),
  });
}

/** Records the fetched bytes as the run's source, or removes them if the run is over. */
async function record(
  { db, objectStore }: Deps,
  ref: RunRef,
  source: StoredStream & { readonly object_key: string },
): Promise<void> {
  let mayBeRecorded = false;
  try {
    mayBeRecorded = await sourceFetched(db, ref, source);
  } catch (error) {
    // It is unknown whether the commit succeeded. The caller retries once the database is back.
    mayBeRecorded = isDatabaseUnavailable(error);
    throw error;
  } finally {
    if (!mayBeRecorded) await objectStore.delete([source.object_key]);
  }
}

/** Shows why the run does not continue, until its workflow asks for the next fetch. */
async function showStoreAway({ db, log }: Deps, ref: RunRef, { message }: ServiceError): Promise<void> {
  await noteFetchFailure(db, ref, `${message} The URL will be fetched again.`).catch((err: unknown) =>
    log.warn({ err }, 'the reason of a failed fetch was not recorded'),
  );
}

/** Errors of the source end the run after three tries; too many bytes end it at once. */
function toFailure({ code, message }: OutgoingError, failedTries: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'URL_FETCH_FAILED',
    message,
    nonRetryable: code === 'TOO_LARGE',
    details: [{ failedTries }],
  });
}
