import { readPages, readTextLayout } from '../../core/documents/text-layout.js';
import type { PluginInputs } from '@knowledge-warehouse/plugin';
import type { Layout } from './records.js';

/** Maximum size in bytes of the artifact with the pages of a long text. Pages of a larger one are ignored. */
const mostPagesBytes = 8 * 1024 * 1024;

/**
 * Returns the layout of the artifact `text` as its plugin declares it. Without a declaration, it has no pages and no
 * headings.
 */
export async function layoutOfText(inputs: PluginInputs): Promise<Layout> {
  const text = inputs.list.find(({ type }) => type === 'text');
  const { isMarkdown, pages, pagesIn } = readTextLayout(text?.metadata);
  return { isMarkdown, pages: pages ?? (pagesIn === null ? null : await pagesOf(inputs, pagesIn)) };
}

async function pagesOf(inputs: PluginInputs, type: string): Promise<Layout['pages']> {
  const artifact = inputs.list.find((input) => input.type === type);
  if (artifact?.content_type !== 'json') return null;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of await inputs.stream(type)) {
    pieces.push(piece as Buffer);
    bytes += (piece as Buffer).length;
    if (bytes > mostPagesBytes) return null;
  }
  const content = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
  return readPages(content['pages']);
}
