import type { Archive } from '../office/archive.js';
import type { Extractor } from '../document.js';
import { readComments } from '../office/comments.js';
import { DocxBody, type NoteReference } from '../office/docx-body.js';
import { DocxInclusions } from '../office/docx-inclusions.js';
import { readDocxStyles, type DocxStyles } from '../office/docx-styles.js';
import { writeMarkdown } from '../html/to-markdown.js';
import type { BuiltElement } from '../html/markup.js';
import { linksOf, officeCount, officeProperties, relatedParts, relationshipsOf } from '../office/ooxml.js';
import { visitXml } from '../office/xml.js';

/**
 * Converts a text document's body to Markdown, with its charts, diagrams and formulas. The referenced notes, the comments,
 * and the headers and footers of its pages follow (ECMA-376 part 1, 11.3 and 17).
 */
export const extractDocx: Extractor = async (document, out) => {
  const archive = await document.archive();
  // A document in this one includes no further ones.
  const inner = (nested: Archive): Promise<BuiltElement> =>
    contentOf(nested, new DocxInclusions(nested, null));
  writeMarkdown(await contentOf(archive, new DocxInclusions(archive, inner)), out);
  return {
    ...(await officeProperties(archive)),
    pageCount: await officeCount(archive, 'Pages'),
    markdown: true,
  };
};

async function contentOf(archive: Archive, inclusions: DocxInclusions): Promise<BuiltElement> {
  const main = await mainPart(archive);
  const partOf = await relatedParts(archive, main);
  const styles = await readDocxStyles(archive, { styles: partOf('styles'), numbering: partOf('numbering') });
  const notes = new Map<string, NoteReference>();
  const docx: Docx = { archive, styles, inclusions };
  const content = (await readBody(docx, main, notes)).end();
  if (notes.size > 0) await addNotes(docx, content, notes, partOf);
  await addComments(content, archive, partOf('comments'));
  await addFurniture(docx, content, main);
  return content;
}

interface Docx {
  readonly archive: Archive;
  readonly styles: DocxStyles;
  readonly inclusions: DocxInclusions;
}

async function mainPart(archive: Archive): Promise<string> {
  const relationships = await relationshipsOf(archive, '');
  const part = [...relationships.values()].find(
    ({ kind, target }) => kind === 'officeDocument' && archive.has(target),
  );
  return part?.target ?? 'word/document.xml';
}

async function readBody(
  { archive, styles, inclusions }: Docx,
  part: string,
  notes: Map<string, NoteReference>,
): Promise<DocxBody> {
  const body = new DocxBody({ styles, notes }, await linksOf(archive, part));
  await visitXml(await archive.pieces(part), body);
  await inclusions.add(part, body.inclusions);
  return body;
}

/** Adds each note as a list item with a link back to its reference. */
async function addNotes(
  docx: Docx,
  content: BuiltElement,
  references: Map<string, NoteReference>,
  partOf: (kind: string) => string,
): Promise<void> {
  const referred = [...references.values()];
  const notes = new Map<string, ReadonlyMap<string, BuiltElement>>();
  for (const kind of ['footnote', 'endnote']) {
    const part = partOf(`${kind}s`);
    if (docx.archive.has(part)) notes.set(kind, (await readBody(docx, part, references)).notes);
  }
  const list = content.begin('OL');
  for (const { kind, id } of referred) {
    const item = list.begin('LI');
    const note = notes.get(kind)?.get(id);
    if (note) item.takeFrom(note);
    const end = item.continueOrBegin(['P']);
    end.appendText(' ');
    end.begin('A', { href: `#${kind}-ref-${id}` }).appendText('↑');
  }
}

async function addComments(content: BuiltElement, archive: Archive, part: string): Promise<void> {
  if (!archive.has(part)) return;
  for (const { text } of await readComments(archive, part)) content.begin('P').appendText(`Comment: ${text}`);
}

/** Adds each header and footer once; documents often have the same one for several kinds of pages. */
async function addFurniture(docx: Docx, content: BuiltElement, main: string): Promise<void> {
  const parts = [...(await relationshipsOf(docx.archive, main)).values()].filter(
    ({ kind, target }) => (kind === 'header' || kind === 'footer') && docx.archive.has(target),
  );
  const seen = new Set<string>();
  for (const target of new Set(parts.map((part) => part.target))) {
    const furniture = (await readBody(docx, target, new Map())).end();
    const text = furniture.text().replace(/\s+/g, ' ').trim();
    // Only a page number.
    if (/^\P{L}*$/u.test(text) || seen.has(text)) continue;
    seen.add(text);
    content.takeFrom(furniture);
  }
}
