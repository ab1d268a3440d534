import type { Readable } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import { PluginFailure } from './plugin-failure.js';
import type { ContentType, PluginInput, PluginInputs, PluginSource } from './types.js';

/** An artifact of an earlier step, as represented in hosts. */
export type HostInput = Omit<PluginInput, 'metadata'> & { readonly metadata?: unknown };

/** Creates the reader of earlier steps' artifacts; the host provides a function that opens their bytes. */
export function createInputs<Input extends HostInput>(
  inputs: readonly Input[],
  openInput: (input: Input) => Promise<Readable>,
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
    return await openInput(input);
  };
  return {
    list: inputs.map(({ artifact_id, type, content_type, metadata = {} }) => ({
      artifact_id,
      type,
      content_type,
      metadata: metadata as Record<string, unknown>,
    })),
    has: (type) => inputs.some((input) => input.type === type),
    text: async (type) => decodeText(await buffer(await open(type, 'text'))),
    json: async (type) => (await json(await open(type, 'json'))) as Record<string, unknown>,
    vector: async (type) => (await json(await open(type, 'vector'))) as number[] | number[][],
    stream: (type) => open(type, null),
  };
}

/** Keeps a leading U+FEFF, so that positions in the text are those in the artifact. */
function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Creates the reader of the resource's bytes; the host provides a function that opens them. */
export function createSource(
  resource: { readonly media_type: string | null; readonly size_bytes: number | null },
  open: () => Promise<Readable>,
): PluginSource {
  const { media_type: mediaType, size_bytes: sizeBytes } = resource;
  return { mediaType, sizeBytes, stream: open, buffer: async () => buffer(await open()) };
}
