import { lookup } from 'node:dns/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import pLimit from 'p-limit';
import { ServiceError } from '../core/errors.js';
import type { Deps } from '../runtime/deps.js';
import { detectMediaType } from '../runtime/media-type.js';
import { openUrl, OutgoingError, type OutgoingPolicy } from '../runtime/outgoing/index.js';
import { newSourceKey } from '../storage/object-store/store-artifacts.js';
import { storeStream } from '../storage/object-store/store-stream.js';
import { readUnfetchedUrl, sourceFetched } from '../storage/transitions/source-fetched.js';
import { interrupted, isShuttingDown, startHeartbeat } from './attempt-errors.js';

interface RunRef {
  readonly resourceId: string;
  readonly run: number;
}

/**
 * Anybody may name hosts whose name servers never answer. Each of their look-ups holds one of the eight threads that
 * connections to our own stores need too: those of sources get half of them.
 */
const lookups = pLimit(4);
const resolve: OutgoingPolicy['resolve'] = (hostname) => lookups(() => lookup(hostname, { all: true }));

/** The activity that fetches the URL of a source once for its run and stores it like an upload. */
export function createFetchSource(deps: Deps): (ref: RunRef) => Promise<void> {
  return async function fetchSource(ref) {
    const context = Context.current();
    const stopHeartbeat = startHeartbeat(context);
    try {
      const url = await readUnfetchedUrl(deps.db, ref.resourceId, ref.run);
      if (url === null) return;
      const object_key = newSourceKey(ref.resourceId);
      const stored = await fetchInto(deps, object_key, url, context.cancellationSignal);
      if (!(await sourceFetched(deps.db, ref, { ...stored, object_key })))
        await deps.objectStore.delete([object_key]);
    } catch (error) {
      if (isShuttingDown(context)) throw interrupted(context.info.attempt);
      throw context.cancellationSignal.aborted ? error : toFailure(error);
    } finally {
      stopHeartbeat();
    }
  };
}

async function fetchInto(
  deps: Deps,
  key: string,
  url: string,
  signal: AbortSignal,
): ReturnType<typeof storeStream> {
  const { maxUploadBytes, urlAllow, urlTimeoutSeconds } = deps.config;
  const opened = await openUrl(url, {
    policy: { allow: urlAllow, resolve },
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

/** What the source did wrong ends the run after three tries, an address that is refused at once; our own stores are waited for. */
function toFailure(error: unknown): unknown {
  if (error instanceof OutgoingError) {
    return ApplicationFailure.create({
      type: 'URL_FETCH_FAILED',
      message: error.message,
      nonRetryable: error.code === 'TOO_LARGE',
    });
  }
  if (!(error instanceof ServiceError)) return error;
  const final =
    error.code === 'URL_NOT_ALLOWED' ||
    error.code === 'PAYLOAD_TOO_LARGE' ||
    error.code === 'VALIDATION_FAILED';
  return ApplicationFailure.create({ type: error.code, message: error.message, nonRetryable: final });
}
