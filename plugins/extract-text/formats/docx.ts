import type { Archive } from '../office/archive.js';
import type { Extractor } from '../document.js';
import { readComments } from '../office/comments.js';
import { DocxBody, type DocxContext, type Drawing, type NoteReference } from '../office/docx-body.js';
import { readChart, readDiagram } from '../office/drawings.js';
import { readDocxStyles, type DocxStyles } from '../office/docx-styles.js';
import { writeMarkdown } from '../html/to-markdown.js';
import type { BuiltElement } from '../html/markup.js';
import { linksOf, officeCount, officeProperties, relatedParts, relationshipsOf } from '../office/ooxml.js';
import { visitXml } from '../office/xml.js';

/**
 * Converts a text document's body to Markdown, with its charts, diagrams and formulas. The referenced notes, the comments, and the headers and footers of its
 * pages follow (ECMA-376 part 1, 11.3 and 17).
 */
export const extractDocx: Extractor = async (document, out) => {
  const archive = await document.archive();
  const main = await mainPart(archive);
  const partOf = await relatedParts(archive, main);
  const styles = await readDocxStyles(archive, { styles: partOf('styles'), numbering: partOf('numbering') });
  const context: DocxContext = { styles, notes: new Map() };
  const content = (await readBody(archive, main, context)).end();
  const referred = [...context.notes.values()];
  if (referred.length > 0) await addNotes(content, referred, archive, partOf, context);
  await addComments(content, archive, partOf('comments'));
  await addFurniture(content, archive, main, styles);
  writeMarkdown(content, out);
  return {
    ...(await officeProperties(archive)),
    pageCount: await officeCount(archive, 'Pages'),
    markdown: true,
  };
};

async function mainPart(archive: Archive): Promise<string> {
  const relationships = await relationshipsOf(archive, '');
  const part = [...relationships.values()].find(
    ({ kind, target }) => kind === 'officeDocument' && archive.has(target),
  );
  return part?.target ?? 'word/document.xml';
}

async function readBody(archive: Archive, part: string, context: DocxContext): Promise<DocxBody> {
  const body = new DocxBody(context, await linksOf(archive, part));
  await visitXml(await archive.pieces(part), body);
  if (body.drawings.length > 0) await addDrawings(archive, part, body.drawings);
  return body;
}

/** Adds the content of charts and diagrams where they are; of each part once, so that the work stays proportional. */
async function addDrawings(archive: Archive, part: string, drawings: readonly Drawing[]): Promise<void> {
  const relationships = await relationshipsOf(archive, part);
  const read = new Set<string>();
  for (const { kind, id, place } of drawings) {
    const file = relationships.get(id)?.target;
    if (file === undefined || read.has(file) || !archive.has(file)) continue;
    read.add(file);
    if (kind === 'diagram') {
      const list = place.begin('UL');
      for (const text of await readDiagram(archive, file)) list.begin('LI').appendText(text);
      continue;
    }
    const { titles, rows } = await readChart(archive, file);
    for (const title of titles) place.begin('P').appendText(title);
    const table = place.begin('TABLE');
    for (const cells of rows) {
      const row = table.begin('TR');
      for (const cell of cells) row.begin('TD').appendText(cell);
    }
  }
}

/** Adds each note as a list item with a link back to its reference. */
async function addNotes(
  content: BuiltElement,
  referred: readonly NoteReference[],
  archive: Archive,
  partOf: (kind: string) => string,
  context: DocxContext,
): Promise<void> {
  const notes = new Map<string, ReadonlyMap<string, BuiltElement>>();
  for (const kind of ['footnote', 'endnote']) {
    const part = partOf(`${kind}s`);
    if (archive.has(part)) notes.set(kind, (await readBody(archive, part, context)).notes);
  }
  const list = content.begin('OL');
  for (const { kind, id } of referred) {
    const item = list.begin('LI');
    const note = notes.get(kind)?.get(id);
    if (note) item.takeFrom(note);
    const end = item.goOn(['P']);
    end.appendText(' ');
    end.begin('A', { href: `#${kind}-ref-${id}` }).appendText('↑');
  }
}

async function addComments(content: BuiltElement, archive: Archive, part: string): Promise<void> {
  if (!archive.has(part)) return;
  for (const { text } of await readComments(archive, part)) content.begin('P').appendText(`Comment: ${text}`);
}

/** Adds each header and footer once; documents often have the same one for several kinds of pages. */
async function addFurniture(
  content: BuiltElement,
  archive: Archive,
  main: string,
  styles: DocxStyles,
): Promise<void> {
  const parts = [...(await relationshipsOf(archive, main)).values()].filter(
    ({ kind, target }) => (kind === 'header' || kind === 'footer') && archive.has(target),
  );
  const seen = new Set<string>();
  for (const target of new Set(parts.map((part) => part.target))) {
    const furniture = (await readBody(archive, target, { styles, notes: new Map() })).end();
    const text = furniture.text().replace(/\s+/g, ' ').trim();
    // Only a page number.
    if (/^\P{L}*$/u.test(text) || seen.has(text)) continue;
    seen.add(text);
    content.takeFrom(furniture);
  }
}
