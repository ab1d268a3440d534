import { decodeText, type DecodedText } from '../encoding.js';
import type { Extractor, SourceDocument } from '../document.js';

/** A text file as text: by the charset of its media type when it has one. */
export function readText({ source, mediaType }: SourceDocument, declared?: string): DecodedText {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(mediaType ?? '')?.[1];
  return decodeText(source.read(0, source.sizeBytes), charset ?? declared);
}

export const extractPlain: Extractor = (document, out) => {
  const { text, encoding } = readText(document);
  out.write(text);
  return Promise.resolve({ encoding, markdown: false });
};
