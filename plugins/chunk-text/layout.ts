import type { Readable } from 'node:stream';
import { readPages, readTextLayout } from '../../core/documents/text-layout.js';
import type { PluginInputs } from '@knowledge-warehouse/plugin';
import { readAtMost } from './read-at-most.js';
import type { Layout } from './records.js';

/** Maximum size in bytes of the artifact with the pages of a long text. Pages of a larger one are ignored. */
const mostPagesBytes = 8 * 1024 * 1024;

/** The layout of the artifact `text` as its plugin declares it; without a declaration, no pages and no headings. */
export async function layoutOfText(inputs: PluginInputs): Promise<Layout> {
  const text = inputs.list.find(({ type }) => type === 'text');
  return await layoutOf(text?.metadata, async (type) => {
    const artifact = inputs.list.find((input) => input.type === type);
    return artifact?.content_type === 'json' ? await inputs.stream(type) : null;
  });
}

/**
 * Returns the layout that the metadata of an artifact `text` declare.
 *
 * @param open Opens the JSON artifact of a type; null if there is none.
 */
export async function layoutOf(
  metadata: unknown,
  open: (type: string) => Promise<Readable | null>,
): Promise<Layout> {
  const { isMarkdown, pages, pagesIn } = readTextLayout(metadata);
  return { isMarkdown, pages: pages ?? (pagesIn === null ? null : await pagesOf(await open(pagesIn))) };
}

async function pagesOf(artifact: Readable | null): Promise<Layout['pages']> {
  if (artifact === null) return null;
  const bytes = await readAtMost(artifact, mostPagesBytes);
  if (bytes === null) return null;
  const content = Object(JSON.parse(bytes.toString())) as Record<string, unknown>;
  return readPages(content['pages']);
}
