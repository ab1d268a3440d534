export { cleanUpResource } from './clean-up-resource.js';
export { processResource } from './process-resource.js';
export { runOperation } from './run-operation.js';
