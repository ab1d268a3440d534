import { isPlainOrMarkdown } from './detect.js';
import type { SourceDocument } from './document.js';
import { extract, type Extraction } from './extract.js';

/** Reads short plain text or Markdown in this process. Returns null for every other file. */
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
