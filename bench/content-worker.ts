// An author's activity worker whose step makes a text of as many bytes as the source says.
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
