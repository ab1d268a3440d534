import { definePlugin } from '../sdk/index.js';
import { parseConfig } from '../sdk/parse-config.js';
import { childModule, runInChild } from '../sdk/run-in-child.js';
import type { ChunkRecord } from './child.js';
import { chunkTextConfig, type ChunkTextConfig } from './config.js';

const module = childModule('child', import.meta.url);

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
    // Counting tokens is work for the processor: in a process of its own it holds up nothing else.
    await runInChild({
      module,
      request: config,
      input: () => ctx.inputs.stream('text'),
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
