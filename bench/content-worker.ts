// A plugin author's activity worker whose step creates a text with the number of bytes given in the source.
import { definePlugin, runActivityWorker } from '@knowledge-warehouse/plugin';

const bulk = definePlugin({
  id: 'bulk',
  name: 'Bulk',
  version: '1.0.0',
  configSchema: { type: 'object' },
  produces: ['bulk'],
  async run(ctx) {
    const content = 'x'.repeat(Number(await ctx.source.buffer()));
    await ctx.emit({ type: 'bulk', content_type: 'text', content });
  },
});
console.log('content worker is ready to register');
await runActivityWorker([bulk]);
