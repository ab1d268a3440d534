import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init } from '@embedpdf/pdfium';

/**
 * The used part of PDFium's C interface (fpdfview.h, fpdf_text.h, fpdf_doc.h, fpdf_catalog.h, fpdf_annot.h) and of what
 * @embedpdf/pdfium adds to it (`EPDF…`, `PDFiumExt…`). Numbers are handles or addresses; 0 means none.
 */
export interface Pdfium {
  /** The memory of the instance. Any call that makes it grow replaces this array. */
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _FPDF_InitLibrary(): void;
  _FPDF_LoadMemDocument(address: number, bytes: number, password: number): number;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_GetMetaText(document: number, tag: number, buffer: number, bytes: number): number;
  _FPDFCatalog_GetLanguage(document: number, buffer: number, bytes: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDFPage_GetRotation(page: number): number;
  _FPDFPage_SetRotation(page: number, quarterTurns: number): void;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetText(text: number, start: number, count: number, buffer: number): number;
  _FPDFText_GetCharIndexFromTextIndex(text: number, index: number): number;
  _FPDFText_IsGenerated(text: number, index: number): number;
  _FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
  _FPDFText_GetLooseCharBox(text: number, index: number, box: number): number;
  _FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  _FPDFText_GetFontSize(text: number, index: number): number;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_GetAnnot(page: number, index: number): number;
  _FPDFPage_CloseAnnot(annotation: number): void;
  _FPDFAnnot_GetSubtype(annotation: number): number;
  _FPDFAnnot_GetFlags(annotation: number): number;
  _FPDFAnnot_HasKey(annotation: number, key: number): number;
  _FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, bytes: number): number;
  _FPDFAnnot_GetNumberValue(annotation: number, key: number, value: number): number;
  _FPDFAnnot_GetFormFieldType(form: number, annotation: number): number;
  _FPDFAnnot_GetFormFieldFlags(form: number, annotation: number): number;
  _FPDFAnnot_GetFormFieldName(form: number, annotation: number, buffer: number, bytes: number): number;
  _FPDFAnnot_GetFormFieldAlternateName(
    form: number,
    annotation: number,
    buffer: number,
    bytes: number,
  ): number;
  _FPDFAnnot_GetFormFieldValue(form: number, annotation: number, buffer: number, bytes: number): number;
  _FPDFAnnot_GetOptionCount(form: number, annotation: number): number;
  _FPDFAnnot_IsOptionSelected(form: number, annotation: number, option: number): number;
  _FPDFAnnot_GetOptionLabel(
    form: number,
    annotation: number,
    option: number,
    buffer: number,
    bytes: number,
  ): number;
  _EPDFPage_GetAnnotCountRaw(document: number, pageIndex: number): number;
  _PDFiumExt_OpenFormFillInfo(): number;
  _PDFiumExt_InitFormFillEnvironment(document: number, info: number): number;
}

interface Instance {
  readonly pdfium: Pdfium;
  /** A copy of its memory before the first document, without the trailing zeros. */
  readonly fresh: Uint8Array;
  isOutOfMemory: boolean;
}

/** Resetting more memory than this takes longer than creating a new instance. */
const mostReusedBytes = 64 * 1024 * 1024;

/** As in Node. TypeScript declares these types only for browsers. */
interface WasmInstance {
  readonly exports: object;
}
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    compile(bytes: Buffer): Promise<object>;
    readonly Instance: new (module: object, imports: object) => WasmInstance;
  };
};

const compiled = await WebAssembly.compile(
  await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')),
);

async function startInstance(): Promise<Instance> {
  const state = { isOutOfMemory: false };
  const options = {
    instantiateWasm(imports: object, started: (instance: WasmInstance) => void) {
      const instance = new WebAssembly.Instance(compiled, imports);
      started(instance);
      return instance.exports;
    },
    print: () => undefined,
    printErr: (line: string) => (state.isOutOfMemory ||= /grow|enlarge/.test(line)),
  };
  const { pdfium } = (await init(options)) as unknown as { pdfium: Pdfium };
  pdfium._FPDF_InitLibrary();
  return Object.assign(state, { pdfium, fresh: withoutZeros(pdfium.HEAPU8) });
}

/** Copies memory up to its last word that is not zero. */
function withoutZeros(memory: Uint8Array): Uint8Array {
  const words = new BigUint64Array(memory.buffer);
  let end = words.length;
  while (end > 0 && words[end - 1] === 0n) end--;
  return memory.slice(0, end * words.BYTES_PER_ELEMENT);
}

/** The instance for the next document. */
let spare: Instance | null = await startInstance();

/**
 * Calls `read` with a PDFium in its initial state: its memory is reset after each document, so that nothing has to be
 * freed. An instance whose `read` failed is discarded. Throws what `read` throws, or a RangeError if memory ran out.
 */
export async function usePdfium<T>(read: (pdfium: Pdfium) => T): Promise<T> {
  const instance = spare ?? (await startInstance());
  spare = null;
  try {
    const result = read(instance.pdfium);
    if (instance.pdfium.HEAPU8.length <= mostReusedBytes) {
      instance.pdfium.HEAPU8.set(instance.fresh);
      instance.pdfium.HEAPU8.fill(0, instance.fresh.length);
      spare = instance;
    }
    return result;
  } catch (error) {
    if (instance.isOutOfMemory) throw new RangeError('PDFium is out of memory', { cause: error });
    throw error;
  }
}

/** Allocates bytes of PDFium's memory. Throws a RangeError if none are left. */
export function allocate(pdfium: Pdfium, bytes: number): number {
  const address = pdfium._malloc(bytes);
  if (address === 0) throw new RangeError('PDFium is out of memory');
  return address;
}

/** Reads a UTF-16 text of this many code units from PDFium's memory. */
export function utf16At(pdfium: Pdfium, address: number, units: number): string {
  return Buffer.from(pdfium.HEAPU8.buffer, address, units * 2).toString('utf16le');
}
