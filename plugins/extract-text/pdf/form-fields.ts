import type { AnnotationEntries } from './annotation-entries.js';
import type { Pdfium } from './pdfium.js';
import type { TextBuffer } from './text-buffer.js';

type Kind = 'text' | 'choice' | 'button' | null;

/** Types of form fields by their number in fpdf_formfill.h; the first is unknown, the second a push button. */
const kinds: readonly Kind[] = [null, null, 'button', 'button', 'choice', 'choice', 'text'];
const kindOfType: Readonly<Record<string, Kind>> = { Tx: 'text', Ch: 'choice', Btn: 'button' };
/** Flags of fields (ISO 32000-1, 12.7.4.2 and 12.7.4.3). */
const flags = { password: 1 << 13, pushButton: 1 << 16 };

/**
 * PDFium compares each field with all others by name: 5,000 take seconds. In larger documents, only what a field itself
 * states is read, not what it inherits.
 */
const mostFields = 5_000;
/** Options of a list that are checked for being selected; the rest are ignored. */
const mostOptions = 1_000;

/** Functions that read the value, the alternate name and the name of a field, by the key of the entry. */
const getters = {
  V: '_FPDFAnnot_GetFormFieldValue',
  TU: '_FPDFAnnot_GetFormFieldAlternateName',
  T: '_FPDFAnnot_GetFormFieldName',
} as const;

export class FormFields {
  readonly #pdfium: Pdfium;
  readonly #document: number;
  readonly #entries: AnnotationEntries;
  readonly #texts: TextBuffer;
  /** PDFium's form environment; 0 if the document is too large, undefined before it was needed. */
  #environment: number | undefined;

  constructor(pdfium: Pdfium, document: number, entries: AnnotationEntries, texts: TextBuffer) {
    this.#pdfium = pdfium;
    this.#document = document;
    this.#entries = entries;
    this.#texts = texts;
  }

  /** Returns "name: value"; undefined if the field is not filled, or not to be read. */
  read(widget: number): string | undefined {
    const form = this.#isComplete(widget) ? 0 : this.#form();
    const value = this.#value(widget, form).trim();
    if (value === '') return undefined;
    const name = (this.#text(widget, form, 'TU') || this.#text(widget, form, 'T')).trim();
    return name === '' ? value : `${name}: ${value}`;
  }

  /** Whether the widget is a field that inherits nothing and whose value needs no translation. */
  #isComplete(widget: number): boolean {
    const has = (key: string): boolean => this.#entries.has(widget, key);
    return has('FT') && has('T') && !has('Parent') && !has('Opt');
  }

  #form(): number {
    this.#environment ??= this.#countAnnotations() > mostFields ? 0 : this.#startEnvironment();
    return this.#environment;
  }

  #countAnnotations(): number {
    const pages = this.#pdfium._FPDF_GetPageCount(this.#document);
    let count = 0;
    for (let index = 0; index < pages && count <= mostFields; index++)
      count += this.#pdfium._EPDFPage_GetAnnotCountRaw(this.#document, index);
    return count;
  }

  #startEnvironment(): number {
    const callbacks = this.#pdfium._PDFiumExt_OpenFormFillInfo();
    return this.#pdfium._PDFiumExt_InitFormFillEnvironment(this.#document, callbacks);
  }

  #value(widget: number, form: number): string {
    const kind =
      form === 0
        ? kindOfType[this.#own(widget, 'FT')]
        : kinds[this.#pdfium._FPDFAnnot_GetFormFieldType(form, widget)];
    if (kind === 'button') return this.#state(widget, form);
    if (kind === 'choice') return form === 0 ? this.#own(widget, 'V') : this.#selected(widget, form);
    if (kind !== 'text' || (this.#flags(widget, form) & flags.password) !== 0) return '';
    return this.#text(widget, form, 'V');
  }

  /** Returns the export value of a checked box or radio button. */
  #state(widget: number, form: number): string {
    if ((this.#flags(widget, form) & flags.pushButton) !== 0) return '';
    const state = this.#own(widget, 'AS');
    if (state === 'Off') return '';
    // With options, states are their indexes (ISO 32000-1, 12.7.4.2.3).
    return (form !== 0 && /^\d{1,4}$/.test(state) && this.#label(widget, form, Number(state))) || state;
  }

  #selected(widget: number, form: number): string {
    const count = Math.min(this.#pdfium._FPDFAnnot_GetOptionCount(form, widget), mostOptions);
    const labels: string[] = [];
    for (let index = 0; index < count; index++) {
      if (this.#pdfium._FPDFAnnot_IsOptionSelected(form, widget, index))
        labels.push(this.#label(widget, form, index));
    }
    return labels.length > 0 ? labels.join(', ') : this.#text(widget, form, 'V');
  }

  #label(widget: number, form: number, option: number): string {
    return this.#texts.read((buffer, bytes) =>
      this.#pdfium._FPDFAnnot_GetOptionLabel(form, widget, option, buffer, bytes),
    );
  }

  /** Returns an entry of a field; without a form environment only its own, not one that it inherits. */
  #text(widget: number, form: number, key: keyof typeof getters): string {
    if (form === 0) return this.#own(widget, key);
    return this.#texts.read((buffer, bytes) => this.#pdfium[getters[key]](form, widget, buffer, bytes));
  }

  #flags(widget: number, form: number): number {
    if (form === 0) return this.#entries.number(widget, 'Ff');
    return this.#pdfium._FPDFAnnot_GetFormFieldFlags(form, widget);
  }

  #own(widget: number, key: string): string {
    return this.#entries.text(widget, key);
  }
}
