import { Readable } from 'node:stream';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { parseConfig } from '@knowledge-warehouse/plugin/host';
import { lightWeight, mostCutHere } from '../../core/documents/reading.js';
import { compiledModule } from '../../core/compiled-module.js';
import { runInChild } from '../host/run-in-child.js';
import type { CuttingRequest } from './child.js';
import { chunkTextConfig, type ChunkTextConfig } from './config.js';
import { layoutOfText } from './layout.js';
import { readAtMost } from './read-at-most.js';
import { chunkRecords, type ChunkRecord } from './records.js';

/** The child processes that chunk texts: the same ones that read documents. */
export const cutting = {
  module: compiledModule('child', import.meta.url),
  memoryMb: 1024,
  timeoutSeconds: 300,
};

/** Texts of the queue for short ones are cut here if their chunks overlap by at most half. */
const mostWeightHere = 2 * mostCutHere;

const outputBytes = 256 * 1024 * 1024;

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
    const request: CuttingRequest = { config, layout: await layoutOfText(ctx.inputs) };
    const text = await readAtMost(await ctx.inputs.stream('text'), lightWeight);
    // The more chunks share a character, the more work it is.
    const weight = ((text?.length ?? Infinity) * config.size) / (config.size - config.overlap);
    const chunks =
      text !== null && text.length <= mostCutHere && weight <= mostWeightHere
        ? await chunkShortText(text.toString(), request)
        : await runInChild({
            module: cutting.module,
            request,
            input: () => (text === null ? ctx.inputs.stream('text') : Promise.resolve(Readable.from([text]))),
            weight,
            limits: { ...cutting, outputBytes },
            signal: ctx.signal,
            subject: 'CHUNKING',
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

/** Chunks a text in this process. */
export async function chunkShortText(
  text: string,
  { config, layout }: CuttingRequest,
): Promise<ChunkRecord[]> {
  const chunks: ChunkRecord[] = [];
  for await (const chunk of chunkRecords(text, config, layout)) chunks.push(chunk);
  return chunks;
}
