import { withChunks } from '../chunk-text/read-chunks.js';
import type { Chunk } from '../../core/documents/chunks.js';
import { definePlugin, type PluginContext } from '@knowledge-warehouse/plugin';
import { embedConfig, type EmbedConfig } from './config.js';
import { embedTexts } from './endpoint.js';
import { inOrder } from './in-order.js';
import { assertDimensions, type Vector } from './vectors.js';

/** Computes a vector for each chunk with a model behind an OpenAI-compatible endpoint. */
export const embed = definePlugin({
  id: 'embed',
  name: 'Embed chunks',
  version: '1.0.0',
  description:
    'Computes a vector for each chunk with a model, through any endpoint compatible with OpenAI’s /v1/embeddings ' +
    '(Ollama, vLLM, text-embeddings-inference, OpenAI). Row i of the result belongs to chunk i.',
  configSchema: embedConfig,
  produces: ['embeddings'],
  reads: ['chunks'],

  run: (ctx) => withChunks(ctx, (chunks) => embedAll(chunks, ctx)),
});

async function embedAll(chunks: readonly Chunk[], ctx: PluginContext<EmbedConfig>): Promise<void> {
  const { model, batch_size } = ctx.config;
  const texts = chunks.map(({ text }) => text);
  const batches = Array.from({ length: Math.ceil(texts.length / batch_size) }, (_, index) =>
    texts.slice(index * batch_size, (index + 1) * batch_size),
  );
  const vectors = inOrder(batches, (batch, signal) => embedTexts(batch, ctx, signal), ctx.signal);
  const first = await vectors.next();
  const dimensions = first.done ? 0 : (ctx.config.dimensions ?? first.value[0]?.length ?? 0);

  let failure: unknown;
  let done = 0;
  /** Yields the rows as JSON, one piece for each batch. */
  async function* rows(): AsyncGenerator<string> {
    try {
      yield '[';
      for (let batch = first; !batch.done; batch = await vectors.next()) {
        for (const vector of batch.value) assertDimensions(vector, dimensions);
        yield (done === 0 ? '' : ',') + batch.value.map((vector: Vector) => JSON.stringify(vector)).join(',');
        done += batch.value.length;
        ctx.progress(done / texts.length, `${done} of ${texts.length} chunks`);
      }
      yield ']';
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      await vectors.return(undefined);
    }
  }

  try {
    await ctx.emit({
      type: 'embeddings',
      content_type: 'vector',
      content: rows(),
      metadata: { model, dimensions, count: texts.length },
    });
  } catch (error) {
    // A stream's error may arrive wrapped in another one.
    throw failure ?? error;
  }
}
