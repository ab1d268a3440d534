import { PluginFailure, type PluginInputs } from '@knowledge-warehouse/plugin';

/** A chunk as later steps need it, whichever plugin made it. */
export interface Chunk {
  readonly text: string;
  /** In Unicode code points from the beginning of the text, where the chunk says so. */
  readonly start?: number;
  readonly end?: number;
}

function isChunk(value: unknown): value is Chunk {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';
}

/** The chunks of the `chunks` artifact in their order. Throws a non-retryable INVALID_INPUT failure when it holds none. */
export async function readChunks(inputs: PluginInputs): Promise<readonly Chunk[]> {
  const { chunks } = await inputs.json('chunks');
  if (Array.isArray(chunks) && chunks.every(isChunk)) return chunks;
  const message = 'The artifact chunks does not hold {"chunks": [{"text": …}, …]}.';
  throw new PluginFailure('INVALID_INPUT', message, { retryable: false });
}
