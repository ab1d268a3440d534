import { Readable } from 'node:stream';
import { ServiceError } from '../../core/errors.js';
import { uuidv7 } from '../../core/ids.js';
import { checkArtifacts, encodeContent } from '../../core/wire/artifact-rules.js';
import { reportedArtifactSchema, type InlineArtifact } from '../../core/wire/report.js';
import { PluginFailure, type ContentStream, type EmittedArtifact } from '../../plugins/sdk/index.js';
import { checkContent } from '../../runtime/content-check.js';
import { findingsOf } from '../../runtime/validation.js';
import type { StoredArtifact } from '../../storage/artifacts.js';
import type { ObjectStore } from '../../storage/object-store/index.js';
import { dropStored, newArtifactKey } from '../../storage/object-store/store-artifacts.js';
import { storeContent } from '../../storage/object-store/store-content.js';

/** What an attempt has emitted so far: stored, but pointed to by no row before the attempt succeeds. */
export interface Emitted {
  /** Tells this attempt's outcome when it is written again, because it was unclear whether it had been. */
  readonly id: string;
  readonly artifacts: readonly StoredArtifact[];
  emit(artifact: EmittedArtifact): Promise<void>;
  /** Removes what was stored, for an attempt that came to nothing. */
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
      const streamed = isStream(content);
      refuseInvalid({
        type,
        content_type,
        metadata,
        content: streamed ? emptyContent[content_type] : content,
      });
      if (types.has(type)) throw invalidResult(`${type} was emitted before`);
      types.add(type);
      const object_key = newArtifactKey(resourceId);
      const source = streamed
        ? Readable.from(toBytes(content), { objectMode: false })
        : Readable.from([encodeContent({ content_type, content })], { objectMode: false });
      try {
        const size_bytes = await storeContent(objectStore, object_key, source, {
          maxBytes: options.maxArtifactBytes,
          // What stands in memory was looked at as a whole.
          ...(streamed ? { check: checkContent(content_type) } : {}),
          signal: options.signal,
        });
        artifacts.push({ type, content_type, size_bytes, metadata, object_key });
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED')
          throw invalidResult(`${type}: ${error.message}`, error.details);
        if (error instanceof ServiceError && error.code === 'PAYLOAD_TOO_LARGE')
          throw new PluginFailure('ARTIFACT_TOO_LARGE', `${type}: ${error.message}`, { retryable: false });
        throw error;
      }
    },
    discard: () => dropStored(objectStore, artifacts),
  };
}

const emptyContent = { text: '', json: {}, vector: [] } as const;

function isStream(content: EmittedArtifact['content']): content is ContentStream {
  return typeof content === 'object' && Symbol.asyncIterator in content;
}

async function* toBytes(content: ContentStream): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    yield typeof piece === 'string'
      ? Buffer.from(piece)
      : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  }
}

function refuseInvalid(artifact: InlineArtifact): void {
  const findings = findingsOf(reportedArtifactSchema, { ...artifact, content: sample(artifact) });
  if (findings.length === 0) findings.push(...checkArtifacts({ status: 'SUCCESS', artifact }));
  const [first] = findings;
  if (first !== undefined) throw invalidResult(`${first.path} ${first.message}`, { errors: findings });
}

function invalidResult(message: string, details: Readonly<Record<string, unknown>> = {}): PluginFailure {
  return new PluginFailure('INVALID_RESULT', `The plugin emitted an invalid artifact: ${message}`, {
    retryable: false,
    details,
  });
}

/** The schema is asked about the kind of content; `checkArtifacts` looks at every number of a vector. */
function sample(artifact: InlineArtifact): unknown {
  return Array.isArray(artifact.content) ? artifact.content.slice(0, 1) : artifact.content;
}
