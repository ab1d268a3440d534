import { isPlainOrMarkdown } from './detect.js';
import type { SourceDocument } from './document.js';
import { extract, type Extraction } from './extract.js';

/** Longer ones could hold the process up. */
export const shortTextBytes = 64 * 1024;

/**
 * Reads plain text or Markdown of at most `shortTextBytes` right here: its parsers take time in proportion to its length,
 * and a process of its own would take a hundred times as long. Null for every other format.
 */
export async function extractShortText(
  bytes: Buffer,
  { name, mediaType }: Pick<SourceDocument, 'name' | 'mediaType'>,
  maxOutputBytes: number,
): Promise<Extraction | null> {
  const document: SourceDocument = {
    source: {
      sizeBytes: bytes.length,
      read: (position, length) => bytes.subarray(position, position + length),
    },
    name,
    mediaType,
    maxUnpackedBytes: 0,
    mainContent: 'never',
    progress: () => undefined,
  };
  return isPlainOrMarkdown(document) ? await extract(document, maxOutputBytes) : null;
}
