import { definePlugin, type AnyPlugin } from '@knowledge-warehouse/plugin';

/** A plugin that does nothing, to measure the fixed cost of a step. */
export const noop: AnyPlugin = definePlugin({
  id: 'noop',
  name: 'Does nothing',
  version: '1.0.0',
  configSchema: {},
  produces: [],
  run: () => Promise.resolve(),
});
