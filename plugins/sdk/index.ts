export { definePlugin, PluginFailure } from './define-plugin.js';
export { runActivityWorker, runHttpWorker } from './run-workers.js';
export type * from './types.js';
export type { ActivityWorkerOptions, HttpWorkerOptions, WorkerOptions } from './workers/options.js';
