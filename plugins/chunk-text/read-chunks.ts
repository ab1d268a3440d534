import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createBudget } from './budget.js';
import { readChunks, type Chunk } from '../../core/documents/chunks.js';
import { lightWeight } from '../../core/documents/reading.js';
import type { PluginContext } from '@knowledge-warehouse/plugin';
import { invalidInput } from '../failures.js';

/** Maximum bytes of one artifact, and of all artifacts above `lightWeight` that a process uses at once. */
const mostBytes = 128 * 1024 * 1024;
const shared = createBudget(mostBytes);

/**
 * Calls `use` with the chunks of the `chunks` artifact in order. All of them are in memory until `use` ends, so a large
 * artifact first waits until those of other attempts leave it enough of the budget. Throws a non-retryable
 * INVALID_INPUT failure if the artifact has no chunks or is too large; or the signal's reason.
 */
export async function withChunks<Result>(
  { inputs, signal, progress }: Pick<PluginContext<unknown>, 'inputs' | 'signal' | 'progress'>,
  use: (chunks: readonly Chunk[]) => Promise<Result>,
  budget = shared,
): Promise<Result> {
  const open = (): Promise<Readable> => inputs.stream('chunks');
  const { size, bytes } = await measure(await open());
  if (bytes !== null) return await use(parse(new TextDecoder().decode(bytes)));
  const mustWait = budget.isShort(size);
  if (mustWait) progress(0, 'waiting until steps with other large artifacts have ended');
  return await budget.run(size, signal, async () => {
    if (mustWait) progress(0, 'reading chunks');
    return await use(parse(await text(await open())));
  });
}

/**
 * Returns the size of an artifact, and its bytes if they are few. Inputs do not tell their size, so a large artifact is
 * read twice: first to know its weight in the budget.
 */
async function measure(content: Readable): Promise<{ readonly size: number; readonly bytes: Buffer | null }> {
  let size = 0;
  let parts: Uint8Array[] = [];
  for await (const part of content as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > mostBytes)
      throw invalidInput(
        `The artifact "chunks" has more than ${mostBytes} bytes (128 MiB). Split the resource into smaller ones.`,
      );
    if (size <= lightWeight) parts.push(part);
    else parts = [];
  }
  return { size, bytes: size <= lightWeight ? Buffer.concat(parts) : null };
}

function parse(json: string): readonly Chunk[] {
  let chunks: readonly Chunk[] | null = null;
  try {
    chunks = readChunks(JSON.parse(json));
  } catch {
    // Reported below.
  }
  if (chunks === null)
    throw invalidInput('The artifact "chunks" does not contain {"chunks": [{"text": …}, …]}.');
  return chunks;
}
