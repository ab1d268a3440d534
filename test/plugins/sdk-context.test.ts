import assert from 'node:assert/strict';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { runPlugin } from '@knowledge-warehouse/plugin/testing';

describe('the context of a plugin', () => {
  const base = { id: 'context', name: 'Context', version: '1.0.0', produces: ['facts'] } as const;

  it('returns a text as it is stored, with a leading U+FEFF', async () => {
    const plugin = definePlugin({
      ...base,
      run: async (ctx) => {
        const chunks: Buffer[] = [];
        for await (const chunk of await ctx.inputs.stream('text')) chunks.push(chunk as Buffer);
        const content = { text: await ctx.inputs.text('text'), streamed: Buffer.concat(chunks).toString() };
        await ctx.emit({ type: 'facts', content_type: 'json', content });
      },
    });
    const { artifacts } = await runPlugin(plugin, { inputs: { text: '\ufeffGröße \ufeff' } });
    assert.deepEqual(artifacts.get('facts')?.content, {
      text: '\ufeffGröße \ufeff',
      streamed: '\ufeffGröße \ufeff',
    });
  });
});
