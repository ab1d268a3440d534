import type { TextWriter } from '../text-writer.js';
import { AnnotationEntries } from './annotation-entries.js';
import { FormFields } from './form-fields.js';
import type { Pdfium } from './pdfium.js';
import { TextBuffer } from './text-buffer.js';

/** Subtypes of annotations (fpdf_annot.h). */
const subtypes = { link: 2, freeText: 3, popup: 16, widget: 20 };
/** Flags of an annotation that is not shown: Hidden and NoView (ISO 32000-1, 12.5.3). */
const unseen = 0x02 | 0x20;
/** Only crafted files have more: pages can share their annotations. */
const mostAnnotations = 1_000_000;

/** Writes the filled form fields and the comments of a document's pages. */
export class Annotations {
  readonly #pdfium: Pdfium;
  readonly #entries: AnnotationEntries;
  readonly #fields: FormFields;
  #left = mostAnnotations;

  constructor(pdfium: Pdfium, document: number) {
    this.#pdfium = pdfium;
    const texts = new TextBuffer(pdfium);
    this.#entries = new AnnotationEntries(pdfium, texts);
    this.#fields = new FormFields(pdfium, document, this.#entries, texts);
  }

  /** Writes a line for each filled field of a page, and a paragraph for each comment. */
  write(page: number, out: TextWriter): void {
    const count = Math.min(this.#pdfium._FPDFPage_GetAnnotCount(page), this.#left);
    this.#left -= count;
    let followsField = false;
    for (let index = 0; index < count; index++) {
      const annotation = this.#pdfium._FPDFPage_GetAnnot(page, index);
      if (annotation === 0) continue;
      const { field, comment } = this.#read(annotation);
      this.#pdfium._FPDFPage_CloseAnnot(annotation);
      if (followsField && comment) out.write('\n');
      if (comment) out.block(comment);
      if (field) out.write(`${field}\n`);
      followsField = field !== undefined || (followsField && comment === undefined);
    }
    if (followsField) out.write('\n');
  }

  #read(annotation: number): { readonly field?: string | undefined; readonly comment?: string } {
    const subtype = this.#pdfium._FPDFAnnot_GetSubtype(annotation);
    if (subtype === subtypes.link || subtype === subtypes.popup) return {};
    if ((this.#pdfium._FPDFAnnot_GetFlags(annotation) & unseen) !== 0) return {};
    if (subtype === subtypes.widget) return { field: this.#fields.read(annotation) };
    const contents = this.#entries.text(annotation, 'Contents').trim();
    if (contents === '') return {};
    return { comment: subtype === subtypes.freeText ? contents : `Comment: ${contents}` };
  }
}
