import { allocate, utf16At, type Pdfium } from './pdfium.js';

const firstBytes = 1024;

/** Reads PDFium's texts one after the other into a buffer that grows to the longest. */
export class TextBuffer {
  readonly #pdfium: Pdfium;
  #bytes = firstBytes;
  #address: number;

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
    this.#address = allocate(pdfium, firstBytes);
  }

  /**
   * Reads a text with `get`, which returns its size in bytes of UTF-16 including the terminating zero, and fills the
   * buffer if it is large enough.
   */
  read(get: (buffer: number, bytes: number) => number): string {
    let bytes = get(this.#address, this.#bytes);
    if (bytes > this.#bytes) {
      this.#pdfium._free(this.#address);
      this.#address = allocate(this.#pdfium, bytes);
      this.#bytes = bytes;
      bytes = get(this.#address, bytes);
    }
    return bytes <= 2 ? '' : utf16At(this.#pdfium, this.#address, bytes / 2 - 1);
  }
}
