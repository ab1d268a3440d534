import { fileFault } from './failures.js';

const blockEnd = '\n\n';

/** Collects a document's text. Throws OUTPUT_TOO_LARGE as soon as it outgrows `maxBytes` of UTF-8. */
export class TextWriter {
  readonly #maxBytes: number;
  readonly #parts: string[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  write(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#maxBytes) {
      throw fileFault('OUTPUT_TOO_LARGE', `The text is longer than ${this.#maxBytes} bytes`, {
        max_output_bytes: this.#maxBytes,
      });
    }
    this.#parts.push(text);
  }

  /** Writes a paragraph, heading or other block, with an empty line after it. Blank blocks are left out. */
  block(text: string): void {
    const trimmed = text.replace(/^\n+/, '').trimEnd();
    if (trimmed !== '') this.write(trimmed + blockEnd);
  }

  /** All that was written, with `\n` line ends, without what cannot stand in a text, blank ends trimmed. */
  finish(): string {
    return cleanText(this.#parts.join(''));
  }
}

/** Removes control characters but tabs and line ends, and makes lone surrogates U+FFFD. */
function cleanText(text: string): string {
  return text
    .replace(/\r\n?|[\f\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\ufeff]/g, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/^\s*\n/, '')
    .trimEnd();
}
