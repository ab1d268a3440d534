import { Readable } from 'node:stream';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { parseConfig } from '@knowledge-warehouse/plugin/host';
import { lightWeight, mostChunkedHere } from '../../core/documents/reading.js';
import { compiledModule } from '../../core/compiled-module.js';
import { runInChild, type ChildTask } from '../host/run-in-child.js';
import type { ChunkingRequest } from './child.js';
import { chunkTextConfig, type ChunkTextConfig } from './config.js';
import { layoutOfText } from './layout.js';
import { readAtMost } from './read-at-most.js';
import { chunkRecords, type ChunkRecord } from './records.js';

export const chunkingModule = compiledModule('child', import.meta.url);
/** Memory and time are those of reading documents, so that the same child processes chunk texts. */
const limits = { memoryMb: 1024, timeoutSeconds: 300, outputBytes: 256 * 1024 * 1024 };

/** Texts of the queue for short ones are chunked here if their chunks overlap by at most half. */
const mostWeightHere = 2 * mostChunkedHere;

/** Cuts the `text` artifact into overlapping chunks for embedding and retrieval. */
export const chunkText = definePlugin({
  id: 'chunk-text',
  name: 'Chunk text',
  version: '1.0.0',
  description:
    'Cuts the text into overlapping chunks of a given number of tokens or characters, if possible between ' +
    'sections, paragraphs, sentences or words. Each chunk records its position in Unicode code points, ' +
    'its pages and its headings.',
  configSchema: chunkTextConfig,
  defaultConfig: parseConfig(chunkTextConfig, {}) as ChunkTextConfig,
  produces: ['chunks'],
  reads: ['text'],

  async run(ctx) {
    const { config } = ctx;
    if (config.overlap >= config.size)
      ctx.fail('INVALID_CONFIG', 'config overlap must be less than size', {
        retryable: false,
        details: { key: 'overlap' },
      });
    const request: ChunkingRequest = { config, layout: await layoutOfText(ctx.inputs) };
    const text = await readAtMost(await ctx.inputs.stream('text'), lightWeight);
    // The more chunks share a character, the more work it is.
    const weight = ((text?.length ?? Infinity) * config.size) / (config.size - config.overlap);
    const chunks =
      text !== null && text.length <= mostChunkedHere && weight <= mostWeightHere
        ? await chunkShortText(text.toString(), request)
        : await chunkInChild(request, {
            input: () => (text === null ? ctx.inputs.stream('text') : Promise.resolve(Readable.from([text]))),
            weight,
            signal: ctx.signal,
          });
    const { encoding, ...sizes } = config;
    await ctx.emit({
      type: 'chunks',
      content_type: 'json',
      content: { chunks },
      metadata: { count: chunks.length, ...sizes, ...(config.unit === 'tokens' && { encoding }) },
    });
  },
});

export async function chunkInChild(
  request: ChunkingRequest,
  source: Pick<ChildTask, 'input' | 'weight' | 'signal'>,
): Promise<unknown[]> {
  return await runInChild({ ...source, module: chunkingModule, request, limits, subject: 'CHUNKING' });
}

/** Chunks a text in this process. */
export async function chunkShortText(
  text: string,
  { config, layout }: ChunkingRequest,
): Promise<ChunkRecord[]> {
  const chunks: ChunkRecord[] = [];
  for await (const chunk of chunkRecords(text, config, layout)) chunks.push(chunk);
  return chunks;
}
