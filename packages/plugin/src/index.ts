export { definePlugin } from './define-plugin.js';
export { PluginFailure } from './plugin-failure.js';
export { runActivityWorker, runHttpWorker } from './run-workers.js';
export type * from './types.js';
export type {
  ActivityWorkerOptions,
  HttpWorkerOptions,
  TemporalTls,
  WorkerOptions,
} from './workers/options.js';
