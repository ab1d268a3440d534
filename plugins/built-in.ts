import { parseConfig } from '@knowledge-warehouse/plugin/host';
import { chunkTextConfig, type ChunkTextConfig } from './chunk-text/config.js';
import { chunkShortText, chunkText, chunkingModule } from './chunk-text/index.js';
import { embed } from './embed/index.js';
import { extractText, reading } from './extract-text/index.js';
import { extractShortText } from './extract-text/short-text.js';
import { startChildrenAhead } from './host/run-in-child.js';
import { createRegisterVectors } from './register-vectors/index.js';
import type { AnyPlugin } from '@knowledge-warehouse/plugin';

/** Starts a child process that reads and chunks documents in advance, so that the first document need not wait. */
export async function startReaderAhead(): Promise<void> {
  await startChildrenAhead(reading, [reading.module, chunkingModule]);
}

/**
 * Loads what this process needs for short texts. The first short text would load that in a fifth of a second of processor
 * time, which blocks the event loop: on a busy machine, for so long that its attempts miss their heartbeats.
 */
export async function preloadShortTextReader(): Promise<void> {
  const text = '# A sample\n\nThis short text is read and chunked before the first document arrives.\n';
  for (const name of ['sample.txt', 'sample.md'])
    await extractShortText(Buffer.from(text), { name, mediaType: null }, text.length);
  const config = parseConfig(chunkTextConfig, {}) as ChunkTextConfig;
  await chunkShortText(text, { config, layout: { isMarkdown: true, pages: null } });
}

/**
 * Creates the plugins that come with the service and run inside its workers. `vectorFolder`, an absolute path, is where
 * vectors are stored unless the config names another place.
 */
export function createBuiltInPlugins(options: { readonly vectorFolder: string }): readonly AnyPlugin[] {
  return [extractText, chunkText, embed, createRegisterVectors({ defaultFolder: options.vectorFolder })];
}
