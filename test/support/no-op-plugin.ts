import { definePlugin, type AnyPlugin } from '@knowledge-warehouse/plugin';

/** A plugin that does nothing: what its steps cost is what every step costs. */
export const noop: AnyPlugin = definePlugin({
  id: 'noop',
  name: 'Does nothing',
  version: '1.0.0',
  configSchema: {},
  produces: [],
  run: () => Promise.resolve(),
});
