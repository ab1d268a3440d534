import { maxMetadataBytes } from '@knowledge-warehouse/plugin/protocol';
import type { PageStart } from '../../core/text-layout.js';

/**
 * The metadata of the artifact `text`, as `readTextLayout` reads it. About 500 pages fit; of longer documents it says that the
 * pages are in the artifact `metadata`, whose content may be of any size.
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
