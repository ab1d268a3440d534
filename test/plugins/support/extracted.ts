import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { extract as extractDocument, type Extraction } from '../../../plugins/extract-text/extract.js';
import { extractText } from '../../../plugins/extract-text/index.js';
import { extractShortText } from '../../../plugins/extract-text/short-text.js';
import { isReadHere } from '../../../core/documents/reading.js';
import { runPlugin, type PluginRun } from '@knowledge-warehouse/plugin/testing';

/** What extract-text made of something. */
export interface Extracted {
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly progress: readonly (readonly [number, string | undefined])[];
}

export async function extract(run: PluginRun): Promise<Extracted> {
  const { artifacts, progress } = await runPlugin(extractText, run);
  const text = artifacts.get('text');
  const metadata = artifacts.get('metadata');
  assert(text?.content_type === 'text' && metadata?.content_type === 'json');
  return { text: text.content, metadata: metadata.content, progress };
}

/**
 * Extracts a document as the plugin does, but in this process: after each document that failed, a new child process
 * costs half a second of processor time.
 */
export async function extractHere(run: {
  readonly source: Buffer;
  readonly name?: string;
  readonly mediaType?: string | null;
}): Promise<Extraction> {
  const { source: bytes, name = 'Untitled', mediaType = null } = run;
  const source = {
    sizeBytes: bytes.length,
    read: (position: number, length: number) => bytes.subarray(position, position + length),
  };
  const maxOutputBytes = 33_554_432;
  const isShort = isReadHere({ name, mediaType, sizeBytes: bytes.length });
  const short = isShort ? await extractShortText(bytes, { name, mediaType }, maxOutputBytes) : null;
  if (short !== null) return short;
  const limits = { maxUnpackedBytes: 536_870_912, mainContent: 'never', progress() {} } as const;
  return await extractDocument({ source, name, mediaType, ...limits }, maxOutputBytes);
}

/** Extracts a file of test/fixtures by its name alone, as of an upload whose media type is not known. */
export function extractFixture(name: string): Promise<Extracted> {
  return extract({ name, source: fixture(name) });
}

/** Extracts a web page of test/fixtures as one that was fetched. */
export function extractPage(name: string, config = {}): Promise<Extracted> {
  return extract({ name, source: fixture(name), sourceType: 'URL', config });
}

export function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
}

export function lines(...text: string[]): string {
  return text.join('\n');
}
