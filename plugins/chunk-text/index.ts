import { Readable } from 'node:stream';
import { definePlugin, type PluginInputs } from '../sdk/index.js';
import { parseConfig } from '../sdk/parse-config.js';
import { childModule, lightWeight, runInChild } from '../sdk/run-in-child.js';
import { chunkTextConfig, type ChunkTextConfig } from './config.js';
import { chunkRecords, type ChunkRecord } from './records.js';

const module = childModule('child', import.meta.url);

/** Longer texts could hold the process up: they are cut in a process of their own. */
const shortTextBytes = 16 * 1024;

const limits = { memoryMb: 1024, timeoutSeconds: 600, outputBytes: 256 * 1024 * 1024 };

/** Cuts the `text` artifact into overlapping chunks for embedding and retrieval. */
export const chunkText = definePlugin({
  id: 'chunk-text',
  name: 'Chunk text',
  version: '1.0.0',
  description:
    'Cuts the text into chunks of a number of tokens or characters, with overlap, where it can between paragraphs, ' +
    'sentences or words. Each chunk says where it stands in the text, in Unicode code points.',
  configSchema: chunkTextConfig,
  defaultConfig: parseConfig(chunkTextConfig, {}) as ChunkTextConfig,
  produces: ['chunks'],

  async run(ctx) {
    const { config } = ctx;
    if (config.overlap >= config.size)
      ctx.fail('INVALID_CONFIG', 'config overlap must be less than size', {
        retryable: false,
        details: { key: 'overlap' },
      });
    const chunks: ChunkRecord[] = [];
    // Where chunks overlap by more than half, the work is many times the text's length.
    const text = config.overlap <= config.size / 2 ? await readLight(ctx.inputs) : null;
    if (text !== null && text.length <= shortTextBytes)
      for await (const chunk of chunkRecords(text.toString(), config)) chunks.push(chunk);
    else
      await runInChild({
        module,
        request: config,
        input: () => (text === null ? ctx.inputs.stream('text') : Promise.resolve(Readable.from([text]))),
        weight: text?.length ?? Infinity,
        limits,
        signal: ctx.signal,
        subject: 'CHUNKING',
        onMessage: (chunk) => chunks.push(chunk as ChunkRecord),
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

/** The text's bytes, unless there are more than `lightWeight`. */
async function readLight(inputs: PluginInputs): Promise<Buffer | null> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const piece of await inputs.stream('text')) {
    read.push(piece as Buffer);
    bytes += (piece as Buffer).length;
    if (bytes > lightWeight) return null;
  }
  return Buffer.concat(read);
}
