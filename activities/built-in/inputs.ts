import type { Readable } from 'node:stream';
import { buffer, json, text } from 'node:stream/consumers';
import {
  PluginFailure,
  type ContentType,
  type PluginInputs,
  type PluginSource,
} from '../../plugins/sdk/index.js';
import type { Artifact } from '../../storage/artifacts.js';
import type { ObjectStore } from '../../storage/object-store/index.js';
import type { Resource } from '../../storage/resources.js';

/** The artifacts of earlier steps, read from the object store. */
export function createInputs(
  objectStore: ObjectStore,
  artifacts: readonly Artifact[],
  signal: AbortSignal,
): PluginInputs {
  const open = async (type: string, expected: ContentType | null): Promise<Readable> => {
    const artifact = artifacts.find((candidate) => candidate.type === type);
    if (artifact === undefined) {
      throw new PluginFailure('MISSING_INPUT', `No earlier step made an artifact ${type}.`, {
        retryable: false,
      });
    }
    if (expected !== null && artifact.content_type !== expected) {
      const message = `The artifact ${type} is ${artifact.content_type}, not ${expected}.`;
      throw new PluginFailure('INVALID_INPUT', message, { retryable: false });
    }
    return (await objectStore.get(artifact.object_key, { signal })).stream;
  };
  return {
    list: artifacts.map(({ id, type, content_type }) => ({ artifact_id: id, type, content_type })),
    has: (type) => artifacts.some((artifact) => artifact.type === type),
    text: async (type) => await text(await open(type, 'text')),
    json: async (type) => (await json(await open(type, 'json'))) as Record<string, unknown>,
    vector: async (type) => (await json(await open(type, 'vector'))) as number[] | number[][],
    stream: (type) => open(type, null),
  };
}

/** The bytes of the resource, read from the object store. */
export function createSource(
  objectStore: ObjectStore,
  resource: Resource,
  signal: AbortSignal,
): PluginSource {
  const stream = async (): Promise<Readable> => {
    if (resource.object_key === null) throw new Error('The source of this resource is not stored.');
    return (await objectStore.get(resource.object_key, { signal })).stream;
  };
  return {
    mediaType: resource.media_type,
    sizeBytes: resource.size_bytes,
    stream,
    buffer: async () => await buffer(await stream()),
  };
}
