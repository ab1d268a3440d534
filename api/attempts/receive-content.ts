import type { IncomingMessage } from 'node:http';
import type { FromSchema } from 'json-schema-to-ts';
import { messageOf, ServiceError } from '../../core/errors.js';
import { uuidv7 } from '../../core/ids.js';
import type { ContentType } from '../../core/states.js';
import type { AttemptRef } from '../../core/runs/refs.js';
import { checkContent } from '../../runtime/content/content-check.js';
import { newArtifactKey } from '../../storage/object-store/store-artifacts.js';
import { storeContent, type StoredBytes } from '../../storage/object-store/store-content.js';
import { attemptClosed, readOpenAttempt } from '../../storage/transitions/report-attempt.js';
import { beginUpload, dropUpload, finishUpload } from '../../storage/uploads.js';
import type { ApiDeps } from '../deps.js';
import { assertNotCompressed } from '../request/json-body.js';
import type { uploadSchema } from '../schemas/internal.js';

type ReceivedContent = FromSchema<typeof uploadSchema>;

/**
 * Stores a request body as the content of an artifact that a later report of the attempt will name. Throws
 * UNSUPPORTED_MEDIA_TYPE, NOT_FOUND, ATTEMPT_CLOSED, PAYLOAD_TOO_LARGE, VALIDATION_FAILED for content of the wrong
 * kind, MALFORMED_BODY if the body is cut off, or STORAGE_UNAVAILABLE. If it throws, the content is removed: at once,
 * or by the sweep if the attempt was closed meanwhile.
 */
export async function receiveContent(
  { db, objectStore, config }: ApiDeps,
  request: IncomingMessage,
  ref: AttemptRef,
  artifact: { readonly type: string; readonly content_type: ContentType },
): Promise<ReceivedContent> {
  const id = uuidv7();
  const object_key = newArtifactKey(ref.resourceId);
  assertNotCompressed(request);
  await readOpenAttempt(db, ref);
  if (Number(request.headers['content-length']) > config.maxArtifactBytes)
    throw tooLarge(config.maxArtifactBytes);
  await beginUpload(db, ref, { id, ...artifact, object_key });
  const stored = await store();
  const isKept = await finishUpload(db, id, stored);
  if (!isKept) await objectStore.delete([object_key]);
  // The sweep removes the uploads of a closed attempt, now or later; the attempt's row says why it was closed.
  await readOpenAttempt(db, ref);
  if (!isKept) throw attemptClosed(null);
  return { upload_id: id, ...artifact, size_bytes: stored.size_bytes };

  async function store(): Promise<StoredBytes> {
    let broken: unknown = request.errored ?? undefined;
    request.once('error', (error) => (broken = error));
    try {
      return await storeContent(objectStore, object_key, request, {
        maxBytes: config.maxArtifactBytes,
        check: checkContent(artifact.content_type),
      });
    } catch (error) {
      await dropUpload(db, id);
      if (broken === undefined || error instanceof ServiceError) throw error;
      const message = `The body was cut off: ${messageOf(broken)}.`;
      throw new ServiceError('MALFORMED_BODY', message, {}, { cause: error });
    }
  }
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', `An artifact can have at most ${limit} bytes.`, {
    limit_bytes: limit,
  });
}
