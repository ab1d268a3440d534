import { chunkText, cutting } from './chunk-text/index.js';
import { embed } from './embed/index.js';
import { extractText, reading } from './extract-text/index.js';
import { startChildrenAhead } from './host/run-in-child.js';
import { createRegisterVectors } from './register-vectors/index.js';
import type { AnyPlugin } from '@knowledge-warehouse/plugin';

/** Starts a child process that reads and chunks documents in advance, so that the first document need not wait. */
export async function prepareReading(): Promise<void> {
  await startChildrenAhead(reading, [reading.module, cutting.module]);
}

/**
 * Creates the plugins that come with the service and run inside its workers. `vectorFolder`, an absolute path, is where
 * vectors are stored unless the config names another place.
 */
export function createBuiltInPlugins(options: { readonly vectorFolder: string }): readonly AnyPlugin[] {
  return [extractText, chunkText, embed, createRegisterVectors({ defaultFolder: options.vectorFolder })];
}
