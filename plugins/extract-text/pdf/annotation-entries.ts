import { allocate, type Pdfium } from './pdfium.js';
import type { TextBuffer } from './text-buffer.js';

/** Reads an annotation's own entries, without those that a field inherits. */
export class AnnotationEntries {
  readonly #pdfium: Pdfium;
  readonly #texts: TextBuffer;
  readonly #addresses = new Map<string, number>();
  readonly #number: number;

  constructor(pdfium: Pdfium, texts: TextBuffer) {
    this.#pdfium = pdfium;
    this.#texts = texts;
    this.#number = allocate(pdfium, Float32Array.BYTES_PER_ELEMENT);
  }

  has(annotation: number, key: string): boolean {
    return this.#pdfium._FPDFAnnot_HasKey(annotation, this.#address(key)) !== 0;
  }

  /** Returns a string or a name; '' if the entry is missing or something else. */
  text(annotation: number, key: string): string {
    const address = this.#address(key);
    return this.#texts.read((buffer, bytes) =>
      this.#pdfium._FPDFAnnot_GetStringValue(annotation, address, buffer, bytes),
    );
  }

  /** Returns a number; 0 if the entry is missing or something else. */
  number(annotation: number, key: string): number {
    if (!this.#pdfium._FPDFAnnot_GetNumberValue(annotation, this.#address(key), this.#number)) return 0;
    return new DataView(this.#pdfium.HEAPU8.buffer).getFloat32(this.#number, true);
  }

  #address(key: string): number {
    const known = this.#addresses.get(key);
    if (known !== undefined) return known;
    const address = allocate(this.#pdfium, key.length + 1);
    this.#pdfium.HEAPU8.set(Buffer.from(`${key}\0`), address);
    this.#addresses.set(key, address);
    return address;
  }
}
