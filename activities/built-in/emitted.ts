import { Readable } from 'node:stream';
import { ServiceError } from '../../core/errors.js';
import { uuidv7 } from '../../core/ids.js';
import { bytesOf, collectEmitted, encode, invalidResult, isStreamed } from '@knowledge-warehouse/plugin/host';
import { PluginFailure, type EmittedArtifact } from '@knowledge-warehouse/plugin';
import { checkContent } from '../../runtime/content/content-check.js';
import type { Logger } from '../../runtime/logging/logger.js';
import type { StoredArtifact } from '../../storage/artifacts.js';
import type { ObjectStore } from '../../storage/object-store/index.js';
import { dropStored, newArtifactKey } from '../../storage/object-store/store-artifacts.js';
import { storeContent } from '../../storage/object-store/store-content.js';

/** What an attempt has emitted so far: stored, but not referenced by a row until the attempt succeeds. */
export interface Emitted {
  /** Identifies the outcome when it is written again because the first write may have failed. */
  readonly id: string;
  /** In the order in which they were stored. */
  readonly artifacts: readonly StoredArtifact[];
  emit(artifact: EmittedArtifact): Promise<void>;
  /** Waits for artifacts that the plugin did not await. Throws the first error of these. */
  complete(): Promise<unknown>;
  /** Removes the stored objects of an attempt that failed. */
  discard(): Promise<void>;
}

interface EmittedOptions {
  readonly maxArtifactBytes: number;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export function createEmitted(
  objectStore: ObjectStore,
  resourceId: string,
  { maxArtifactBytes, signal, log }: EmittedOptions,
): Emitted {
  const artifacts: StoredArtifact[] = [];
  const store = async (artifact: EmittedArtifact): Promise<void> => {
    const { type, content_type, content, metadata = {} } = artifact;
    const object_key = newArtifactKey(resourceId);
    const streamed = isStreamed(content);
    const bytes = streamed ? bytesOf(content) : [encode(artifact)];
    try {
      const readable = Readable.from(bytes, { objectMode: false });
      // Content held in memory was already checked as a whole.
      const check = streamed ? checkContent(content_type) : undefined;
      const options = { maxBytes: maxArtifactBytes, check, signal };
      const stored = await storeContent(objectStore, object_key, readable, options);
      artifacts.push({ type, content_type, ...stored, metadata, object_key });
    } catch (error) {
      throw toPluginFailure(type, error);
    }
  };
  const { emit, complete } = collectEmitted(store, ({ type }) => {
    log.error({ artifact: type }, 'an artifact is lost: it was emitted after run() had returned');
  });
  return { id: uuidv7(), artifacts, emit, complete, discard: () => dropStored(objectStore, artifacts) };
}

function toPluginFailure(type: string, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const message = `The artifact ${type} was not accepted: ${error.message}`;
  if (error.code === 'VALIDATION_FAILED') return invalidResult(message);
  if (error.code === 'PAYLOAD_TOO_LARGE')
    return new PluginFailure('ARTIFACT_TOO_LARGE', message, { retryable: false });
  return error;
}
