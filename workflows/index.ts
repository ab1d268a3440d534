export { cleanUpResource } from './clean-up-resource.js';
export { processResource } from './process-resource.js';
