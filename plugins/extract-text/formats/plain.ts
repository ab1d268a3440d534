import { decodeText, type DecodedText } from '../encoding.js';
import type { Extractor, SourceDocument } from '../document.js';

/**
 * Decodes a text file.
 *
 * @param charsetOf Returns the encoding that the text itself declares, which counts less than that of the media type.
 */
export function readText(
  { source, mediaType }: SourceDocument,
  charsetOf?: (bytes: Buffer) => string | undefined,
): DecodedText {
  const bytes = source.read(0, source.sizeBytes);
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(mediaType ?? '')?.[1];
  return decodeText(bytes, charset, charsetOf?.(bytes));
}

export const extractPlain: Extractor = (document, out) => {
  const { text, encoding } = readText(document);
  out.write(text);
  return Promise.resolve({ encoding, markdown: false });
};
