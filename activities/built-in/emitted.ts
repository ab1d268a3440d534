import { Readable } from 'node:stream';
import { ServiceError } from '../../core/errors.js';
import { uuidv7 } from '../../core/ids.js';
import { checkArtifact, encode, invalidResult, bytesOf, isStreamed } from '@knowledge-warehouse/plugin/host';
import { PluginFailure, type EmittedArtifact } from '@knowledge-warehouse/plugin';
import { checkContent } from '../../runtime/content/content-check.js';
import type { StoredArtifact } from '../../storage/artifacts.js';
import type { ObjectStore } from '../../storage/object-store/index.js';
import { dropStored, newArtifactKey } from '../../storage/object-store/store-artifacts.js';
import { storeContent } from '../../storage/object-store/store-content.js';

/** What an attempt has emitted so far: stored, but not referenced by a row until the attempt succeeds. */
export interface Emitted {
  /** Identifies the outcome when it is written again because the first write may have failed. */
  readonly id: string;
  readonly artifacts: readonly StoredArtifact[];
  emit(artifact: EmittedArtifact): Promise<void>;
  /** Removes the stored objects of an attempt that failed. */
  discard(): Promise<void>;
}

export function createEmitted(
  objectStore: ObjectStore,
  resourceId: string,
  options: { readonly maxArtifactBytes: number; readonly signal: AbortSignal },
): Emitted {
  const artifacts: StoredArtifact[] = [];
  const types = new Set<string>();
  return {
    id: uuidv7(),
    artifacts,
    async emit(artifact) {
      const { type, content_type, content, metadata = {} } = artifact;
      checkArtifact(artifact);
      if (types.has(type)) throw invalidResult(`The plugin emitted two artifacts ${type}.`);
      types.add(type);
      const object_key = newArtifactKey(resourceId);
      const streamed = isStreamed(content);
      const bytes = streamed ? bytesOf(content) : [encode(artifact)];
      const source = Readable.from(bytes, { objectMode: false });
      try {
        const stored = await storeContent(objectStore, object_key, source, {
          maxBytes: options.maxArtifactBytes,
          // Content held in memory was already checked as a whole.
          ...(streamed ? { check: checkContent(content_type) } : {}),
          signal: options.signal,
        });
        artifacts.push({ type, content_type, ...stored, metadata, object_key });
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED')
          throw invalidResult(`The artifact ${type} was not accepted: ${error.message}`);
        if (error instanceof ServiceError && error.code === 'PAYLOAD_TOO_LARGE')
          throw new PluginFailure(
            'ARTIFACT_TOO_LARGE',
            `The artifact ${type} was not accepted: ${error.message}`,
            {
              retryable: false,
            },
          );
        throw error;
      }
    },
    discard: () => dropStored(objectStore, artifacts),
  };
}
