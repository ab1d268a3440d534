import { createHash } from 'node:crypto';
import { uuidv7 } from '../../core/ids.js';
import { encodeContent, type InlineArtifact } from '@knowledge-warehouse/plugin/protocol';
import type { StoredArtifact } from '../artifacts.js';
import { everyResource } from './keys.js';
import type { ObjectStore } from './types.js';

/** The key prefix of everything that belongs to a resource, with a trailing `/`. */
export function resourcePrefix(resourceId: string): string {
  return `${everyResource}${resourceId}/`;
}

/** A new key for the bytes of a resource's source. */
export function newSourceKey(resourceId: string): string {
  return `${resourcePrefix(resourceId)}source/${uuidv7()}`;
}

/** A new key for the content of an artifact of a resource. */
export function newArtifactKey(resourceId: string): string {
  return `${resourcePrefix(resourceId)}artifacts/${uuidv7()}`;
}

/** Writes one artifact's content under a new key. No row refers to it yet. */
async function storeArtifact(
  objectStore: ObjectStore,
  resourceId: string,
  artifact: InlineArtifact,
): Promise<StoredArtifact> {
  const { type, content_type, metadata = {} } = artifact;
  const object_key = newArtifactKey(resourceId);
  const bytes = encodeContent(artifact);
  const { size: size_bytes } = await objectStore.put(object_key, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { type, content_type, size_bytes, sha256, metadata, object_key };
}

/** Writes the contents of artifacts under new keys; if one fails, none is kept. */
export async function storeArtifacts(
  objectStore: ObjectStore,
  resourceId: string,
  artifacts: readonly InlineArtifact[],
): Promise<StoredArtifact[]> {
  const stored = await Promise.allSettled(
    artifacts.map((artifact) => storeArtifact(objectStore, resourceId, artifact)),
  );
  const kept = stored.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = stored.find((result) => result.status === 'rejected');
  if (failed === undefined) return kept;
  await dropStored(objectStore, kept);
  throw failed.reason;
}

/** Removes contents that no row will refer to. If the store is unreachable, the sweep of orphans removes them later. */
export async function dropStored(
  objectStore: ObjectStore,
  artifacts: readonly StoredArtifact[],
): Promise<void> {
  if (artifacts.length === 0) return;
  await objectStore.delete(artifacts.map((artifact) => artifact.object_key)).catch(() => undefined);
}
