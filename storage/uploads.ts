import { validationFailed } from '../core/errors.js';
import type { ContentType } from '../core/states.js';
import type { UploadedArtifact } from '@knowledge-warehouse/plugin/protocol';
import type { AttemptRef } from '../core/runs/refs.js';
import type { StoredArtifact } from './artifacts.js';
import type { Db } from './database/connection.js';
import { discardObjects } from './sweeps/discarded-objects.js';
import type { StoredBytes } from './object-store/store-content.js';

/** A content that a worker uploads before its report. */
export interface Upload {
  readonly id: string;
  readonly type: string;
  readonly content_type: ContentType;
  readonly object_key: string;
}

/** An artifact of a report whose content was uploaded before, and its place in the report, as a JSON Pointer. */
export interface ExpectedUpload {
  readonly artifact: UploadedArtifact;
  readonly path: string;
}

/** Records an upload before its first byte is stored, so that the object is known even if this process dies. */
export async function beginUpload(db: Db, ref: AttemptRef, upload: Upload): Promise<void> {
  await db('uploads').insert({
    ...upload,
    resource_id: ref.resourceId,
    run: ref.run,
    step_index: ref.stepIndex,
    attempt: ref.attempt,
  });
}

/** Records that all bytes of an upload are stored. Returns false if its attempt has been closed in the meantime. */
export async function finishUpload(db: Db, id: string, stored: StoredBytes): Promise<boolean> {
  return (await db('uploads').where({ id }).update(stored)) > 0;
}

/** Removes the record of an upload that failed without storing an object. */
export async function dropUpload(db: Db, id: string): Promise<void> {
  await db('uploads').where({ id }).delete();
}

/**
 * Assigns uploads of an attempt to the artifacts that refer to them: the rows of the artifacts then own the objects.
 * Throws VALIDATION_FAILED for an upload that this attempt did not finish, or sent as another type.
 */
export async function takeUploads(
  trx: Db,
  ref: AttemptRef,
  expected: readonly ExpectedUpload[],
): Promise<StoredArtifact[]> {
  if (expected.length === 0) return [];
  const ids = expected.map(({ artifact }) => artifact.upload_id);
  const rows: (Upload & { size_bytes: number; sha256: string | null })[] = await trx('uploads')
    .select('id', 'type', 'content_type', 'object_key', 'size_bytes', 'sha256')
    .whereIn('id', ids)
    .where({ resource_id: ref.resourceId, run: ref.run, step_index: ref.stepIndex, attempt: ref.attempt })
    .whereNotNull('size_bytes')
    .forUpdate();
  const found = new Map(rows.map((row) => [row.id, row]));
  const taken = expected.map(({ artifact, path }) => {
    const row = found.get(artifact.upload_id.toLowerCase());
    found.delete(artifact.upload_id.toLowerCase());
    if (row === undefined)
      throw validationFailed({ path: `${path}/upload_id`, message: 'is not an upload of this attempt' });
    if (row.type !== artifact.type || row.content_type !== artifact.content_type) {
      const message = `was sent as ${row.type} (${row.content_type})`;
      throw validationFailed({ path: `${path}/upload_id`, message });
    }
    const { type, content_type, object_key, size_bytes, sha256 } = row;
    return { type, content_type, object_key, size_bytes, sha256, metadata: artifact.metadata ?? {} };
  });
  const owned = rows.map(({ id }) => id);
  await trx('uploads').whereIn('id', owned).delete();
  return taken;
}

/** Discards uploads that no report used before their attempt was closed. Returns their number. */
export async function discardUnusedUploads(db: Db, limit: number): Promise<number> {
  return await db.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: { object_key: string }[] }>(
      `delete from uploads where id in (
         select u.id from uploads u join attempts a
           on (a.resource_id, a.run, a.step_index, a.number) = (u.resource_id, u.run, u.step_index, u.attempt)
         where a.outcome is not null limit ?
       ) returning object_key`,
      [limit],
    );
    const keys = rows.map((row) => row.object_key);
    await discardObjects(trx, keys);
    return keys.length;
  });
}
