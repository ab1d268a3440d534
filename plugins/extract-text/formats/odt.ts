import type { Archive } from '../office/archive.js';
import { PluginFailure } from '@knowledge-warehouse/plugin/protocol';
import { isOutOfMemory } from '../../host/child-task.js';
import { fileFault } from '../failures.js';
import type { DocumentProperties, Extractor } from '../document.js';
import { asText, heading, writeTable } from '../markdown.js';
import type { TextWriter } from '../text-writer.js';
import { LinearMathMl } from '../office/mathml.js';
import { isDescription, OdtPictures } from '../office/odt-pictures.js';
import { separatesWords } from '../html/inline-markdown.js';
import { OdtLists, OdtListStyles } from '../office/odt-lists.js';
import { visitXml, xmlValues, type XmlElement, type XmlVisitor } from '../office/xml.js';

/** Extracts the body. The comments, and the headers and footers of its pages, follow (OpenDocument 1.3, part 3). */
export const extractOdt: Extractor = async (document, out) => {
  const archive = await document.archive();
  await refuseEncrypted(archive);
  const listStyles = new OdtListStyles();
  const furniture = await readStyles(archive, listStyles);
  const body = new BodyVisitor(out, listStyles, await readFormulas(archive));
  await visitXml(await archive.pieces('content.xml'), body);
  for (const comment of body.comments) out.block(asText(`Comment: ${comment}`));
  for (const text of furniture) out.block(asText(text));
  return { ...(await properties(archive)), markdown: true };
};

async function refuseEncrypted(archive: Archive): Promise<void> {
  if (!archive.has('META-INF/manifest.xml')) return;
  await visitXml(await archive.pieces('META-INF/manifest.xml'), {
    open: ({ name }) => {
      if (name === 'encryption-data')
        throw fileFault('ENCRYPTED_FILE', 'The file is protected by a password');
    },
  });
}

const furnitureName = /^(?:header|footer)(?:-left|-first)?$/;

/** Collects the list styles. Returns each header and footer once, without those that only have a page number. */
async function readStyles(archive: Archive, listStyles: OdtListStyles): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (!archive.has('styles.xml')) return found;
  let text: string | null = null;
  await visitXml(await archive.pieces('styles.xml'), {
    open: (element) => {
      const { name } = element;
      listStyles.open(element);
      if (furnitureName.test(name)) text = '';
      else if (text !== null && /^(?:p|h|s|tab|line-break)$/.test(name)) text += ' ';
    },
    text: (run) => {
      if (text !== null) text += run;
    },
    close: (name) => {
      if (!furnitureName.test(name)) return;
      const whole = oneLine(text ?? '');
      if (/\p{L}/u.test(whole)) found.add(whole);
      text = null;
    },
  });
  return found;
}

/** Returns the formulas among the embedded objects, by folder. */
async function readFormulas(archive: Archive): Promise<Map<string, string>> {
  const formulas = new Map<string, string>();
  for (const name of archive.names) {
    const folder = /^([^/]+)\/content\.xml$/.exec(name)?.[1];
    if (folder === undefined) continue;
    const math = new LinearMathMl();
    try {
      await visitXml(await archive.pieces(name), math);
    } catch (error) {
      // The text can be read without a damaged object.
      if (error instanceof PluginFailure || isOutOfMemory(error)) throw error;
      continue;
    }
    if (math.formula !== '') formulas.set(folder, math.formula);
  }
  return formulas;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

async function properties(archive: Archive): Promise<Partial<DocumentProperties>> {
  if (!archive.has('meta.xml')) return {};
  const names = ['title', 'initial-creator', 'creator', 'language', 'creation-date', 'date'] as const;
  const found = await xmlValues(await archive.pieces('meta.xml'), names);
  let pages: number | null = null;
  await visitXml(await archive.pieces('meta.xml'), {
    open: ({ name, attributes }) => {
      if (name === 'document-statistic') pages = Number(attributes['page-count']) || null;
    },
  });
  return {
    title: found.title,
    author: found['initial-creator'] ?? found.creator,
    language: found.language,
    createdAt: found['creation-date'],
    modifiedAt: found.date,
    pageCount: pages,
  };
}

const hidden = new Set([
  'tracked-changes',
  'annotation',
  'note-citation',
  'sequence-decls',
  'forms',
  'covered-table-cell',
  // The pronunciation of the text before it. Between the characters, it would keep searches from finding words.
  'ruby-text',
]);
/** White space as elements. */
const spaces = new Set(['s', 'tab', 'line-break']);

function isHidden(element: XmlElement): boolean {
  return hidden.has(element.name) || isDescription(element);
}

/** More would make the output grow faster than the file. */
const mostCovered = 63;

const noteStart = ' (';

/** Stands around the alternative text of a picture. XML cannot contain this character. */
const pictureEdge = '\0';

/** Writes a space where the edge of a picture is between words. */
function withoutEdges(text: string): string {
  const parts = text.split(/\0+/);
  return parts
    .map((part, index) => (separatesWords(parts[index - 1] ?? '', part) ? ` ${part}` : part))
    .join('');
}

/** Writes headings, paragraphs, list items and tables when they end. Frames and notes are inside paragraphs. */
class BodyVisitor implements XmlVisitor {
  readonly comments: string[] = [];
  readonly #out: TextWriter;
  /** The open comment, and whether its text begins. Its author and date do not belong to it. */
  #comment: string[] | null = null;
  #inComment = false;
  /** The text of the outermost open paragraph, and the number of open ones: nested paragraphs continue its line. */
  #text: string[] = [];
  #open = 0;
  #inBody = false;
  /** The number of open elements from the outermost hidden one. */
  #hidden = 0;
  #level = 1;
  #notes = 0;
  /** Those that are not written yet: a formula is written once, however often it is shown. */
  readonly #formulas: Map<string, string>;
  readonly #listStyles: OdtListStyles;
  readonly #lists: OdtLists;
  readonly #pictures = new OdtPictures();
  #listItems: string[] = [];
  #rows: string[][] | undefined;
  #tableDepth = 0;
  #cell: string[] = [];

  constructor(out: TextWriter, listStyles: OdtListStyles, formulas: Map<string, string>) {
    this.#out = out;
    this.#formulas = formulas;
    this.#listStyles = listStyles;
    this.#lists = new OdtLists(listStyles);
  }

  open(element: XmlElement): void {
    const { name, attributes } = element;
    if (name === 'covered-table-cell' && this.#hidden === 0 && this.#tableDepth === 1)
      this.#cover(attributes);
    this.#pictures.open(element);
    if (this.#hidden > 0 || isHidden(element)) this.#hidden++;
    if (name === 'annotation') this.#comment = [];
    else if (name === 'p' && this.#comment !== null) this.#inComment = true;
    else if (this.#inComment && spaces.has(name)) this.#comment?.push(' ');
    if (name === 'body') this.#inBody = true;
    else if (!this.#inBody) this.#listStyles.open(element);
    if (!this.#inBody || this.#hidden > 0) return;
    if (name === 'h') this.#level = Number(attributes['outline-level']) || 1;
    if (name === 'p' || name === 'h') this.#openParagraph();
    else if (spaces.has(name)) this.text(' ');
    else if (name === 'object') this.#writeFormula(attributes['href'] ?? '');
    else if (name === 'note-body') this.#openNote();
    else if (name === 'list') this.#lists.begin(attributes);
    else if (name === 'list-item') this.#lists.beginItem(attributes);
    else if (name === 'table' && this.#tableDepth++ === 0) this.#rows = [];
    else if (name === 'table-row' && this.#tableDepth === 1) this.#rows?.push([]);
    else if (name === 'table-cell' && this.#tableDepth === 1) this.#cell = [];
  }

  text(text: string): void {
    this.#pictures.text(text);
    if (this.#inComment) this.#comment?.push(text);
    else if (this.#hidden === 0 && this.#open > 0) this.#text.push(text);
  }

  close(name: string): void {
    if (this.#comment !== null) this.#closeInComment(name);
    const alternative = this.#pictures.close(name);
    if (this.#hidden > 0) {
      this.#hidden--;
      return;
    }
    if (!this.#inBody) return;
    if (name === 'p' || name === 'h') this.#endParagraph(name === 'h');
    else if (name === 'note-body') this.#closeNote();
    else if (name === 'frame') this.#writePicture(alternative);
    else if (name === 'list') this.#endList();
    else if (name === 'table-cell' && this.#tableDepth === 1) this.#rows?.at(-1)?.push(this.#cell.join(' '));
    else if (name === 'table' && --this.#tableDepth === 0) this.#endTable();
  }

  #closeInComment(name: string): void {
    if (name === 'p') {
      this.#comment?.push(' ');
      this.#inComment = false;
    } else if (name === 'annotation') {
      const text = oneLine((this.#comment ?? []).join(''));
      if (text !== '') this.comments.push(text);
      this.#comment = null;
    }
  }

  #openParagraph(): void {
    // A note's first paragraph directly follows its bracket.
    if (this.#open++ > 0 && this.#text.at(-1) !== noteStart) this.text(' ');
  }

  #endParagraph(isHeading: boolean): void {
    if (--this.#open > 0) {
      if (this.#notes === 0) this.text(' ');
      return;
    }
    const text = oneLine(withoutEdges(this.#text.join('')));
    this.#text = [];
    if (text === '') return;
    if (this.#rows) this.#cell.push(text);
    else if (isHeading) this.#writeHeading(text);
    else if (this.#lists.isInList) this.#listItems.push(this.#lists.lead() + asText(text));
    else this.#out.block(asText(text));
  }

  /** A list numbers the headings that are its items. */
  #writeHeading(text: string): void {
    this.#interruptList();
    this.#out.block(heading(this.#level, this.#lists.number() + text));
  }

  #writeFormula(reference: string): void {
    const folder = reference.replace(/^\.\/|\/$/g, '');
    const formula = this.#formulas.get(folder);
    if (formula === undefined) return;
    this.#pictures.setFormula();
    this.text(formula);
    this.#formulas.delete(folder);
  }

  #writePicture(alternative: string): void {
    if (alternative === '') return;
    if (this.#open > 0) {
      this.#text.push(pictureEdge, alternative, pictureEdge);
      return;
    }
    this.#openParagraph();
    this.#text.push(alternative);
    this.#endParagraph(false);
  }

  #openNote(): void {
    this.text(noteStart);
    this.#notes++;
  }

  #closeNote(): void {
    this.text(')');
    this.#notes--;
  }

  #endList(): void {
    this.#lists.end();
    if (!this.#lists.isInList) this.#writeItems();
  }

  #interruptList(): void {
    this.#writeItems();
    this.#lists.interrupt();
  }

  #writeItems(): void {
    this.#out.block(this.#listItems.join('\n'));
    this.#listItems = [];
  }

  /** Adds empty cells where a merged cell covers others, so that the cells after it stay in their columns. */
  #cover(attributes: XmlElement['attributes']): void {
    const cells = Number(attributes['number-columns-repeated'] ?? 1) || 1;
    for (let at = 0; at < Math.min(cells, mostCovered); at++) this.#rows?.at(-1)?.push('');
  }

  #endTable(): void {
    this.#interruptList();
    writeTable(this.#rows ?? [], this.#out);
    this.#rows = undefined;
  }
}
