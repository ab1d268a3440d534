import { claimedFormat } from '../../../core/documents/document-format.js';
import { textFormatOf } from '../../../core/documents/text-shape.js';
import { decodeText, looksLikeText } from '../encoding.js';
import { charsetOf } from '../html/charset.js';
import type { BuiltElement } from '../html/markup.js';
import { parseTree } from '../html/tree.js';
import { htmlOf } from '../html/xhtml.js';
import { mimeEntity, pageOf } from '../mime.js';
import type { Archive } from './archive.js';
import type { Inclusion } from './docx-body.js';
import { readChart, readDiagram } from './drawings.js';
import { relationshipsOf } from './ooxml.js';

/** Bytes that show the format of a part. */
const startBytes = 65_536;

/** Adds the content of other parts where a document includes it; of each part once, so that the work stays proportional. */
export class DocxInclusions {
  readonly #archive: Archive;
  /** Reads a document in another one; null in such a document. */
  readonly #readDocument: ((archive: Archive) => Promise<BuiltElement>) | null;
  readonly #read = new Set<string>();

  constructor(archive: Archive, readDocument: ((archive: Archive) => Promise<BuiltElement>) | null) {
    this.#archive = archive;
    this.#readDocument = readDocument;
  }

  /** @param part The part that includes the others. */
  async add(part: string, inclusions: readonly Inclusion[]): Promise<void> {
    if (inclusions.length === 0) return;
    const relationships = await relationshipsOf(this.#archive, part);
    for (const { kind, id, place } of inclusions) {
      const file = relationships.get(id)?.target;
      if (file === undefined || this.#read.has(file) || !this.#archive.has(file)) continue;
      this.#read.add(file);
      if (kind === 'chart') await this.#addChart(file, place);
      else if (kind === 'diagram') await this.#addDiagram(file, place);
      else await this.#addChunk(file, place);
    }
  }

  async #addChart(file: string, place: BuiltElement): Promise<void> {
    const { titles, rows } = await readChart(this.#archive, file);
    for (const title of titles) place.begin('P').appendText(title);
    const table = place.begin('TABLE');
    for (const cells of rows) {
      const row = table.begin('TR');
      for (const cell of cells) row.begin('TD').appendText(cell);
    }
  }

  async #addDiagram(file: string, place: BuiltElement): Promise<void> {
    const list = place.begin('UL');
    for (const text of await readDiagram(this.#archive, file)) list.begin('LI').appendText(text);
  }

  /** Adds content in another format (17.17.2.1): a page, also in MHTML, a text, or a document. Others are left out. */
  async #addChunk(file: string, place: BuiltElement): Promise<void> {
    const bytes = await this.#archive.bytes(file);
    const start = bytes.toString('latin1', 0, startBytes);
    if (start.startsWith('PK\x03\x04')) {
      if (this.#readDocument) place.takeFrom(await this.#readDocument(await this.#archive.nested(bytes)));
    } else if (start.startsWith('{\\rtf') || !looksLikeText(bytes.subarray(0, startBytes))) {
      return;
    } else if (mimeEntity(start)?.fields.has('content-type')) {
      const page = pageOf(bytes.toString('latin1'));
      if (page) addPage(page.bytes, page.charset, place);
    } else if (textFormatOf(start, claimedFormat({ name: file, mediaType: null }), () => false) === 'html') {
      addPage(bytes, undefined, place, /\.xht(?:ml)?$/i.test(file));
    } else if (!/^\s*<\?xml/.test(start)) {
      for (const line of decodeText(bytes).text.split(/\r\n?|\n/)) place.begin('P').appendText(line);
    }
  }
}

function addPage(bytes: Buffer, charset: string | undefined, place: BuiltElement, isXhtml = false): void {
  const { text } = decodeText(bytes, charset, charsetOf(bytes));
  place.takeFrom(parseTree(isXhtml ? htmlOf(text) : text).root);
}
