/** For hosts of plugins: creates inputs, and checks what a plugin emits. */
export { ajvFor } from './ajv-for.js';
export { encode } from './check-artifact.js';
export { collectEmitted } from './collect-emitted.js';
export { bytesOf, isStreamed } from './content-bytes.js';
export { createInputs, createSource } from './inputs.js';
export { createLineWriter, retryAfter, type LineWriter } from './line-writer.js';
export { parseConfig } from './parse-config.js';
export { invalidResult } from './plugin-failure.js';
export { createProgressThrottle, type Progress, type ProgressThrottle } from './throttle-progress.js';
export { toFailureReport } from './workers/attempt/failure-report.js';
export { runTemporalWorker } from './workers/run-temporal-worker.js';
