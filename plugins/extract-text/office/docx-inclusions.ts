import { PluginFailure } from '@knowledge-warehouse/plugin/protocol';
import { claimedFormat } from '../../../core/documents/document-format.js';
import { textFormatOf } from '../../../core/documents/text-shape.js';
import { isOutOfMemory } from '../../host/child-task.js';
import { asciiOf, decodeText } from '../encoding.js';
import { charsetOf } from '../html/charset.js';
import { withUsualComments } from '../html/comments.js';
import type { BuiltElement } from '../html/markup.js';
import { parseTree } from '../html/tree.js';
import { htmlOf } from '../html/xhtml.js';
import { messageOf, partOf } from '../mime.js';
import type { Archive } from './archive.js';
import type { Inclusion } from './docx-body.js';
import { readChart, readDiagram } from './drawings.js';
import { relationshipsOf } from './ooxml.js';

const startBytes = 65_536;

/** Adds the content of other parts where a document includes it; of each part once, so that the work stays proportional. */
export class DocxInclusions {
  readonly #archive: Archive;
  /** Reads a document that another one includes; null while one is read. */
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

  /** Adds content in another format (17.17.2.1), unless it cannot be read: the rest of the document can. */
  async #addChunk(file: string, place: BuiltElement): Promise<void> {
    try {
      await this.#readChunk(file, place);
    } catch (error) {
      const isTooLarge = error instanceof PluginFailure && error.code === 'ARCHIVE_TOO_LARGE';
      if (isTooLarge || isOutOfMemory(error)) throw error;
    }
  }

  /** Adds a page, also in MHTML, a text, or a document. Others are left out. */
  async #readChunk(file: string, place: BuiltElement): Promise<void> {
    const bytes = await this.#archive.bytes(file);
    const start = asciiOf(bytes.subarray(0, startBytes));
    if (start.startsWith('PK\x03\x04')) {
      if (this.#readDocument) place.takeFrom(await this.#readDocument(await this.#archive.nested(bytes)));
    } else if (start.startsWith('{\\rtf')) {
      return;
    } else if (messageOf(bytes.toString('latin1', 0, startBytes))?.fields.has('content-type')) {
      addMessage(bytes, place);
    } else if (textFormatOf(start, claimedFormat({ name: file, mediaType: null }), () => false) === 'html') {
      addPage(bytes, undefined, place, /\.xht(?:ml)?$/i.test(file));
    } else if (!/^\s*<\?xml/.test(start)) {
      addText(bytes, undefined, place);
    }
  }
}

function addMessage(bytes: Buffer, place: BuiltElement): void {
  const message = messageOf(bytes.toString('latin1'));
  const page = message && partOf(message, /^(?:text\/html|application\/xhtml\+xml)\b/i);
  const text = message && !page ? partOf(message, /^text\/plain\b/i) : null;
  if (page) addPage(page.bytes, page.charset, place, /^application/i.test(page.type));
  else if (text) addText(text.bytes, text.charset, place);
}

function addPage(bytes: Buffer, charset: string | undefined, place: BuiltElement, isXhtml: boolean): void {
  const { text } = decodeText(bytes, charset, charsetOf(bytes));
  place.takeFrom(parseTree(isXhtml ? htmlOf(text) : withUsualComments(text)).root);
}

function addText(bytes: Buffer, charset: string | undefined, place: BuiltElement): void {
  for (const line of decodeText(bytes, charset).text.split(/\r\n?|\n/)) place.begin('P').appendText(line);
}
