import type { ResourceMetadata } from '@knowledge-warehouse/plugin/protocol';
import { validationFailed } from '../errors.js';

export type { ResourceMetadata };

export const maxMetadataKeys = 64;
export const maxMetadataBytes = 16 * 1024;

/** Applies a JSON Merge Patch (RFC 7396) to metadata: null removes a key, other values add or replace it. */
export function mergeMetadata(
  metadata: ResourceMetadata,
  patch: Readonly<Record<string, ResourceMetadata[string]>>,
): ResourceMetadata {
  const merged = new Map(Object.entries(metadata));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** Throws VALIDATION_FAILED for metadata with too many keys or bytes. `path` is its place in the request. */
export function checkMetadataSize(metadata: ResourceMetadata, path: string): void {
  const keys = Object.keys(metadata).length;
  if (keys > maxMetadataKeys) {
    throw validationFailed({ path, message: `has ${keys} keys; at most ${maxMetadataKeys} are allowed` });
  }
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).byteLength;
  if (bytes > maxMetadataBytes) {
    throw validationFailed({
      path,
      message: `has ${bytes} bytes as JSON; at most ${maxMetadataBytes} are allowed`,
    });
  }
}
