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

  for (const $schema of [
    'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2019-09/schema',
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-06/schema#',
  ])
    it(`has a config that matches a schema of ${$schema}`, async () => {
      const plugin = definePlugin({
        ...base,
        configSchema: {
          $schema,
          type: 'object',
          properties: { size: { type: 'integer', exclusiveMinimum: 0, default: 3 } },
        },
        run: (ctx) =>
          ctx.emit({ type: 'facts', content_type: 'json', content: ctx.config as Record<string, unknown> }),
      });
      const { artifacts } = await runPlugin(plugin);
      assert.deepEqual(artifacts.get('facts')?.content, { size: 3 });
      await assert.rejects(runPlugin(plugin, { config: { size: 0 } }), { code: 'INVALID_CONFIG' });
    });

  for (const [config, message, key] of [
    [{ model: {} }, 'config model.api_key is missing', 'model.api_key'],
    [{ model: { api_key: 'k' }, apiKey: 'k' }, 'config apiKey is unknown', 'apiKey'],
    [
      { model: { api_key: 'k' }, unit: 'words' },
      'config unit must be one of tokens, "", "5", 5, null',
      'unit',
    ],
    [{ model: { api_key: 'k', key: 'k' } }, 'config model.key is unknown', 'model.key'],
    [
      { model: { api_key: 'k' }, labels: { A: 1 } },
      'config labels.A has an invalid name: it must match pattern "^[a-z]+$"',
      'labels.A',
    ],
    [[], 'config must be object', ''],
  ] as const)
    it(`fails with a message about the wrong key: ${message}`, async () => {
      const plugin = definePlugin({
        ...base,
        configSchema: {
          type: 'object',
          properties: {
            model: {
              ...{ type: 'object', required: ['api_key'], unevaluatedProperties: false },
              allOf: [{ properties: { api_key: {} } }],
            },
            unit: { enum: ['tokens', '', '5', 5, null] },
            labels: { propertyNames: { pattern: '^[a-z]+$' } },
            apiKeys: {},
          },
          required: ['model'],
          additionalProperties: false,
        },
        run: () => Promise.resolve(),
      });
      await assert.rejects(runPlugin(plugin, { config }), {
        ...{ code: 'INVALID_CONFIG', message },
        options: { retryable: false, details: { key } },
      });
    });
});
