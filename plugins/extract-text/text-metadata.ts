import { maxMetadataBytes } from '@knowledge-warehouse/plugin/protocol';
import type { PageStart } from '../../core/documents/text-layout.js';

/**
 * Returns the metadata of the artifact `text`, as `readTextLayout` reads it. About 500 pages fit. For longer documents
 * it refers to the artifact `metadata`, whose content may have any size, for the pages.
 */
export function textMetadata(
  text_format: 'markdown' | 'plain',
  pages: readonly PageStart[] | null,
): Record<string, unknown> {
  if (pages === null) return { text_format };
  const metadata = { text_format, pages };
  const fits = Buffer.byteLength(JSON.stringify(metadata)) <= maxMetadataBytes;
  return fits ? metadata : { text_format, pages_in: 'metadata' };
}
