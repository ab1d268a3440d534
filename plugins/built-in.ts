import { chunkText, cutting } from './chunk-text/index.js';
import { embed } from './embed/index.js';
import { extractText, reading } from './extract-text/index.js';
import { startChildrenAhead } from './host/run-in-child.js';
import { createRegisterVectors } from './register-vectors/index.js';
import type { AnyPlugin } from '@knowledge-warehouse/plugin';

/** Starts the child processes in which documents are read and cut, so that the first one need not wait for them. */
export async function prepareReading(): Promise<void> {
  await startChildrenAhead(reading, [reading.module, cutting.module]);
}

/**
 * The plugins that come with the service and run inside its workers. `vectorFolder` is where vectors are kept unless
 * the config names another place, an absolute path.
 */
export function createBuiltInPlugins(options: { readonly vectorFolder: string }): readonly AnyPlugin[] {
  return [extractText, chunkText, embed, createRegisterVectors({ defaultFolder: options.vectorFolder })];
}
