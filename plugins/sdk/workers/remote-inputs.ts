import type { Readable } from 'node:stream';
import { buffer, json, text } from 'node:stream/consumers';
import type { StepMessage } from '../../../core/wire/step.js';
import { PluginFailure } from '../define-plugin.js';
import type { ContentType, PluginInputs, PluginSource } from '../types.js';
import type { AttemptCallback } from './attempt-callback.js';

/** The artifacts of earlier steps, read from Core. */
export function createRemoteInputs(
  { inputs }: StepMessage,
  callback: AttemptCallback,
  signal: AbortSignal,
): PluginInputs {
  const open = async (type: string, expected: ContentType | null): Promise<Readable> => {
    const input = inputs.find((candidate) => candidate.type === type);
    if (input === undefined) {
      const message = `No earlier step made an artifact ${type}.`;
      throw new PluginFailure('MISSING_INPUT', message, { retryable: false });
    }
    if (expected !== null && input.content_type !== expected) {
      const message = `The artifact ${type} is ${input.content_type}, not ${expected}.`;
      throw new PluginFailure('INVALID_INPUT', message, { retryable: false });
    }
    return await callback.read(input.url, signal);
  };
  return {
    list: inputs.map(({ artifact_id, type, content_type }) => ({ artifact_id, type, content_type })),
    has: (type) => inputs.some((input) => input.type === type),
    text: async (type) => await text(await open(type, 'text')),
    json: async (type) => (await json(await open(type, 'json'))) as Record<string, unknown>,
    vector: async (type) => (await json(await open(type, 'vector'))) as number[] | number[][],
    stream: (type) => open(type, null),
  };
}

/** The bytes of the resource, read from Core. */
export function createRemoteSource(
  { resource }: StepMessage,
  callback: AttemptCallback,
  signal: AbortSignal,
): PluginSource {
  const stream = (): Promise<Readable> => callback.read(resource.source_url, signal);
  return {
    mediaType: resource.media_type,
    sizeBytes: resource.size_bytes,
    stream,
    buffer: async () => await buffer(await stream()),
  };
}
