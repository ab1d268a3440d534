import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readChunk, type Chunk } from '../../core/documents/chunks.js';
import { lightWeight, mostCutHere } from '../../core/documents/reading.js';
import { parseConfig } from '@knowledge-warehouse/plugin/host';
import { PluginFailure } from '@knowledge-warehouse/plugin/protocol';
import { chunkTextConfig, type ChunkTextConfig } from '../chunk-text/config.js';
import { cutting } from '../chunk-text/index.js';
import { chunkRecords, type Layout } from '../chunk-text/records.js';
import { compiledModule } from '../../core/compiled-module.js';
import { runInChild } from '../host/run-in-child.js';
import { mostChunks, toChunks, toRows, type VectorRows } from './parse.js';

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

/**
 * Cuts a text with the default settings of `chunk-text`. Throws a PluginFailure if it has more chunks than are indexed.
 */
export async function cutStoredText(
  content: ContentToRead,
  layout: Layout,
  signal: AbortSignal,
): Promise<readonly Chunk[]> {
  assertSize(content);
  const config = parseConfig(chunkTextConfig, {}) as ChunkTextConfig;
  let records: unknown[] = [];
  if (content.sizeBytes <= mostCutHere) {
    const text = (await buffer(await content.open())).toString();
    for await (const record of chunkRecords(text, config, layout)) records.push(record);
  } else {
    const { module, ...rest } = cutting;
    const weight = content.sizeBytes <= lightWeight ? content.sizeBytes : Infinity;
    records = await runInChild({
      ...{
        module,
        request: { config, layout },
        input: () => content.open(),
        weight,
        signal,
        subject: 'CHUNKING',
      },
      limits: { ...rest, outputBytes: limits.outputBytes },
    });
  }
  if (records.length > mostChunks)
    throw new PluginFailure('INVALID_CHUNKS', `The text has more than ${mostChunks} chunks.`, {
      retryable: false,
    });
  return records.map((record, index) => readChunk(record, index)).filter((chunk) => chunk !== null);
}

async function parseHere(content: ContentToRead): Promise<unknown> {
  return JSON.parse((await buffer(await content.open())).toString());
}

async function inChild(
  what: 'chunks' | 'vectors',
  content: ContentToRead,
  signal: AbortSignal,
): Promise<unknown[]> {
  const module = compiledModule('child', import.meta.url);
  const { sizeBytes } = content;
  const input = (): Promise<Readable> => content.open();
  const weight = sizeBytes <= lightWeight ? sizeBytes : Infinity;
  return await runInChild({
    module,
    request: { what },
    input,
    weight,
    limits,
    signal,
    subject: 'CHUNKS',
  });
}

function assertSize({ sizeBytes }: ContentToRead): void {
  if (sizeBytes <= most) return;
  const message = `The artifact has ${sizeBytes} bytes; at most ${most} are indexed.`;
  throw new PluginFailure('INVALID_CHUNKS', message, { retryable: false });
}
