import { chunkText } from './chunk-text/index.js';
import { extractText } from './extract-text/index.js';
import type { AnyPlugin } from './sdk/index.js';

/** The plugins that come with the service and run inside its workers. */
export const builtInPlugins: readonly AnyPlugin[] = [extractText, chunkText];
