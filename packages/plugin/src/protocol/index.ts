export * from './artifact-rules.js';
export * from './failure-details.js';
export * from './report.js';
export * from './retry-after.js';
export * from './step-message.js';
export * from './step.js';
export * from './text.js';
export { PluginFailure } from '../plugin-failure.js';
export { applySchema, isObject, type Applying, type JsonObject } from './write-only-places.js';
