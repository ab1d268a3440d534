import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { extractText } from '../../../plugins/extract-text/index.js';
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
