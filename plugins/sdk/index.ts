export { definePlugin, PluginFailure } from './define-plugin.js';
export type * from './types.js';
