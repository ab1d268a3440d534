import { readChunks, type Chunk } from '../../core/documents/chunks.js';
import { PluginFailure, type PluginInputs } from '@knowledge-warehouse/plugin';

/**
 * Returns the chunks of the `chunks` artifact in order. Throws a non-retryable INVALID_INPUT failure if it has none.
 */
export async function chunksIn(inputs: PluginInputs): Promise<readonly Chunk[]> {
  const chunks = readChunks(await inputs.json('chunks'));
  if (chunks !== null) return chunks;
  const message = 'The artifact chunks does not contain {"chunks": [{"text": …}, …]}.';
  throw new PluginFailure('INVALID_INPUT', message, { retryable: false });
}
