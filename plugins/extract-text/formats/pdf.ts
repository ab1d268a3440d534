import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { fileFault } from '../failures.js';
import type { Extractor, Findings } from '../document.js';
import { pageText } from '../page-text.js';

// Drawing needs these of a native canvas package. Reading text does not, but the parser wants them to exist
// (https://github.com/mozilla/pdf.js/issues/21720): a glyph that cannot be drawn still gives its character.
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) Object.assign(globalThis, { [name]: Object });

/**
 * pdf.js has each graphics state that is saved inherit from the one before it, so that looking up anything goes through all of them:
 * 60 kB of "q" took half a minute. Here each is a copy that inherits from their class alone.
 */
const create = Object.create.bind(Object);
Object.create = (prototype: object | null, properties?: PropertyDescriptorMap): object => {
  if (prototype === null || properties !== undefined) return create(prototype, properties ?? {}) as object;
  const isState = Object.hasOwn(prototype, 'ctm') && 'clone' in prototype;
  return isState
    ? Object.assign(create(Object.getPrototypeOf(prototype) as object) as object, prototype)
    : (create(prototype) as object);
};

const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
// The parser proper, which has no types. It would be loaded with the first document; here it is before there is one.
const worker: string = 'pdfjs-dist/legacy/build/pdf.worker.mjs';
await import(worker);
const assets = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

export const extractPdf: Extractor = async ({ source, progress }, out) => {
  const bytes = source.read(0, source.sizeBytes);
  const task = getDocument({
    data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length),
    cMapUrl: join(assets, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(assets, 'standard_fonts/'),
    wasmUrl: join(assets, 'wasm/'),
    disableFontFace: true,
    useSystemFonts: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  const pdf = await task.promise.catch((error: unknown) => {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw fileFault('ENCRYPTED_FILE', 'The file is protected by a password');
    }
    throw error;
  });
  let shown = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    out.block(pageText(items.filter((item) => 'str' in item)));
    page.cleanup();
    const percent = Math.floor((number / pdf.numPages) * 100);
    if (percent > shown) progress(percent / 100, `Page ${number} of ${pdf.numPages}`);
    shown = percent;
  }
  const { info } = await pdf.getMetadata();
  return { ...findings(info as Record<string, unknown>), pages: pdf.numPages, markdown: false };
};

function findings(info: Record<string, unknown>): Partial<Findings> {
  const text = (key: string): string | null => (typeof info[key] === 'string' ? info[key] : null);
  return {
    title: text('Title'),
    author: text('Author'),
    language: text('Language'),
    createdAt: isoDate(text('CreationDate')),
    modifiedAt: isoDate(text('ModDate')),
  };
}

/** A PDF date, `D:YYYYMMDDHHmmSSOHH'mm'` with all but the year optional (ISO 32000-1, 7.9.4), as ISO 8601. */
export function isoDate(value: string | null): string | null {
  const match = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?/.exec(
    value ?? '',
  );
  if (!match) return null;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    ,
    offset,
    offsetMinutes = '00',
  ] = match;
  const zone = offset ? `${offset}:${offsetMinutes}` : 'Z';
  return `${String(year)}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}
