import { withChunks } from '../chunk-text/read-chunks.js';
import type { Chunk } from '../../core/documents/chunks.js';
import { definePlugin, PluginFailure, type AnyPlugin, type PluginContext } from '@knowledge-warehouse/plugin';
import { parseConfig } from '@knowledge-warehouse/plugin/host';
import { parseAddress } from './address.js';
import { createChromaStore } from './chroma.js';
import { registerVectorsConfig, type RegisterVectorsConfig } from './config.js';
import { createHousekeeping } from './lance-housekeeping.js';
import { createLanceStore } from './lance.js';
import { batchesOf, measureVectors, vectorsIn } from './rows.js';
import type { StoreHost, VectorStore } from './store.js';

const registration = 'vector_registration';

/**
 * Creates the plugin that writes each chunk with its vector to a vector store, where other programs can search.
 * `defaultFolder`, an absolute path, is the folder that `lancedb:` without a path refers to.
 */
export function createRegisterVectors({ defaultFolder }: { readonly defaultFolder: string }): AnyPlugin {
  const housekeeping = createHousekeeping();
  const openStore = (config: RegisterVectorsConfig, host: StoreHost): VectorStore => {
    const address = parseAddress(config.vector_store_url, defaultFolder);
    return address.kind === 'chroma'
      ? createChromaStore(address.url, config, host)
      : createLanceStore(address, config, host, housekeeping);
  };

  const registerChunks = async (
    chunks: readonly Chunk[],
    ctx: PluginContext<RegisterVectorsConfig>,
  ): Promise<void> => {
    const { count, dimensions } = await measureVectors(await ctx.inputs.stream('embeddings'));
    if (count !== chunks.length) {
      const message = `There are ${chunks.length} chunks and ${count} vectors.`;
      throw new PluginFailure('VECTORS_MISALIGNED', message, { retryable: false });
    }
    const store = openStore(ctx.config, ctx);
    try {
      if (count > 0) {
        const limits = await store.prepare(dimensions);
        const vectors = vectorsIn(await ctx.inputs.stream('embeddings'));
        let done = 0;
        for await (const batch of batchesOf(chunks, vectors, ctx, limits)) {
          await store.upsert(batch);
          done += batch.length;
          ctx.progress(done / count, `${done} of ${count} vectors`);
        }
      }
      // This run's rows are stored before older ones are deleted, so that readers see no gap.
      await store.deleteRuns(ctx.resource.id, ctx.run - 1);
    } finally {
      store.close();
    }
    const { vector_store_url, collection } = ctx.config;
    await ctx.emit({
      type: registration,
      content_type: 'json',
      content: { store: vector_store_url, collection, count, dimensions },
    });
  };

  return definePlugin({
    id: 'register-vectors',
    name: 'Register vectors',
    version: '1.0.0',
    description:
      'Writes each chunk with its vector into a LanceDB table or a collection of a Chroma server, replaces what an ' +
      'earlier run wrote, and removes it there when the resource is deleted.',
    configSchema: registerVectorsConfig,
    defaultConfig: parseConfig(registerVectorsConfig, {}) as RegisterVectorsConfig,
    produces: [registration],
    reads: ['chunks', 'embeddings'],

    run: (ctx) => withChunks(ctx, (chunks) => registerChunks(chunks, ctx)),

    async cleanup(ctx) {
      const store = openStore(ctx.config, ctx);
      try {
        await store.deleteRuns(ctx.resource.id, ctx.run);
      } finally {
        store.close();
      }
    },
  });
}
