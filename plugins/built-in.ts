import { chunkText } from './chunk-text/index.js';
import { embed } from './embed/index.js';
import { extractText } from './extract-text/index.js';
import { createRegisterVectors } from './register-vectors/index.js';
import type { AnyPlugin } from './sdk/index.js';

/**
 * The plugins that come with the service and run inside its workers. `vectorFolder` is where vectors are kept unless
 * the config names another place, an absolute path.
 */
export function createBuiltInPlugins(options: { readonly vectorFolder: string }): readonly AnyPlugin[] {
  return [extractText, chunkText, embed, createRegisterVectors({ defaultFolder: options.vectorFolder })];
}
