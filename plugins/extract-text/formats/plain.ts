import { decodeText, type DecodedText } from '../encoding.js';
import type { Extractor, SourceDocument } from '../document.js';

/** Decodes a text file, by the charset of its media type if there is one. */
export function readText({ source, mediaType }: SourceDocument, declared?: string): DecodedText {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(mediaType ?? '')?.[1];
  return decodeText(source.read(0, source.sizeBytes), charset ?? declared);
}

export const extractPlain: Extractor = (document, out) => {
  const { text, encoding } = readText(document);
  out.write(text);
  return Promise.resolve({ encoding, markdown: false });
};
