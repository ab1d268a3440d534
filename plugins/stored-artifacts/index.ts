import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readChunk, type Chunk } from '../../core/documents/chunks.js';
import { lightWeight, mostChunkedHere } from '../../core/documents/reading.js';
import { parseConfig } from '@knowledge-warehouse/plugin/host';
import { chunkTextConfig, type ChunkTextConfig } from '../chunk-text/config.js';
import { chunkInChild, chunkShortText } from '../chunk-text/index.js';
import type { Layout } from '../chunk-text/records.js';
import { compiledModule } from '../../core/compiled-module.js';
import { runInChild, type ChildTask } from '../host/run-in-child.js';
import { invalidChunks, mostChunks, toChunks, toRows, type VectorRows } from './parse.js';

export interface ContentToRead {
  readonly sizeBytes: number;
  open(): Promise<Readable>;
}

/** Maximum bytes of an artifact that are read at all, and that are read in the worker's own process. */
const most = 128 * 1024 * 1024;
const mostHere = 128 * 1024;
const limits = { memoryMb: 1024, timeoutSeconds: 120, outputBytes: 256 * 1024 * 1024 };

/** Returns the chunks of an artifact `chunks`. Throws a PluginFailure if it has none, or more than are indexed. */
export async function readStoredChunks(
  content: ContentToRead,
  signal: AbortSignal,
): Promise<readonly Chunk[]> {
  assertSize(content);
  if (content.sizeBytes <= mostHere) return toChunks(await parseHere(content));
  return (await inChild('chunks', content, signal)).flat() as Chunk[];
}

/** Returns the rows of an artifact `embeddings`. Throws a PluginFailure if it has none. */
export async function readStoredVectors(
  content: ContentToRead,
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  assertSize(content);
  const parts =
    content.sizeBytes <= mostHere
      ? toRows(await parseHere(content), 256)
      : ((await inChild('vectors', content, signal)) as VectorRows[]);
  const rows: Float32Array[] = [];
  for (const { dimensions, rows: encoded } of parts) {
    const bytes = Buffer.from(encoded, 'base64');
    const block = new Float32Array(new Uint8Array(bytes).buffer);
    for (let from = 0; from < block.length; from += dimensions)
      rows.push(block.subarray(from, from + dimensions));
  }
  return rows;
}

/** Chunks a text with the defaults of `chunk-text`. Throws a PluginFailure if it has more chunks than are indexed. */
export async function chunkStoredText(
  content: ContentToRead,
  layout: Layout,
  signal: AbortSignal,
): Promise<readonly Chunk[]> {
  assertSize(content);
  const request = { config: parseConfig(chunkTextConfig, {}) as ChunkTextConfig, layout };
  const records: readonly unknown[] =
    content.sizeBytes <= mostChunkedHere
      ? await chunkShortText(await readHere(content), request)
      : await chunkInChild(request, { ...sourceOf(content), signal });
  if (records.length > mostChunks) throw invalidChunks(`The text has more than ${mostChunks} chunks.`);
  return records.map((record, index) => readChunk(record, index)).filter((chunk) => chunk !== null);
}

async function readHere(content: ContentToRead): Promise<string> {
  return (await buffer(await content.open())).toString();
}

async function parseHere(content: ContentToRead): Promise<unknown> {
  return JSON.parse(await readHere(content));
}

const sourceOf = (content: ContentToRead): Pick<ChildTask, 'input' | 'weight'> => ({
  input: () => content.open(),
  weight: content.sizeBytes <= lightWeight ? content.sizeBytes : Infinity,
});

async function inChild(
  what: 'chunks' | 'vectors',
  content: ContentToRead,
  signal: AbortSignal,
): Promise<unknown[]> {
  return await runInChild({
    ...sourceOf(content),
    module: compiledModule('child', import.meta.url),
    request: { what },
    limits,
    signal,
    subject: 'CHUNKS',
  });
}

function assertSize({ sizeBytes }: ContentToRead): void {
  if (sizeBytes > most)
    throw invalidChunks(`The artifact has ${sizeBytes} bytes; at most ${most} are indexed.`);
}
