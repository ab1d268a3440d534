import type { Archive } from '../office/archive.js';
import type { Extractor } from '../document.js';
import { asText, heading, writeTable } from '../markdown.js';
import { readComments, type Comment } from '../office/comments.js';
import { readChart, readDiagram, readSheetDrawing } from '../office/drawings.js';
import { officeProperties, relatedParts, relationshipsOf, visitTexts } from '../office/ooxml.js';
import type { TextWriter } from '../text-writer.js';
import { visitXml } from '../office/xml.js';
import { cellText, readNumberFormats, unescaped, type CellFormats } from '../office/xlsx-cells.js';

interface Sheet {
  readonly name: string;
  readonly part: string;
}

/** A row's cells by column, from 0. */
type Row = ReadonlyMap<number, string>;

/** Converts a workbook's sheets, each to a heading, a table of its values, the texts of its drawings and its comments (ECMA-376 part 1, 18). */
export const extractXlsx: Extractor = async (document, out) => {
  const archive = await document.archive();
  const { sheets, date1904 } = await readWorkbook(archive);
  const partOf = await relatedParts(archive, 'xl/workbook.xml');
  const formats: CellFormats = {
    date1904,
    numberFormats: await readNumberFormats(archive, partOf('styles')),
    sharedStrings: await readSharedStrings(archive, partOf('sharedStrings')),
  };
  const read = new Set<string>();
  for (const [index, sheet] of sheets.entries()) {
    const rows = await readSheet(archive, sheet, formats);
    const texts = await drawnTexts(archive, sheet, read);
    const comments = await commentsOf(archive, sheet, read);
    out.page();
    if (rows.length + texts.length + comments.length > 0) out.block(heading(2, sheet.name));
    if (rows.length > 0) writeRows(rows, out);
    for (const text of texts) out.block(asText(text));
    for (const { cell, text } of comments) out.block(asText(`Comment on ${cell}: ${text}`));
    document.progress((index + 1) / sheets.length, `Sheet ${index + 1} of ${sheets.length}`);
  }
  return { ...(await officeProperties(archive)), pageCount: sheets.length, markdown: true };
};

/** A chart sheet has a chart in place of cells. */
const sheetKinds = new Set(['worksheet', 'chartsheet']);

async function readWorkbook(archive: Archive): Promise<{ sheets: readonly Sheet[]; date1904: boolean }> {
  const relationships = await relationshipsOf(archive, 'xl/workbook.xml');
  const sheets: Sheet[] = [];
  // Reads a part that is referenced several times only once, so that the work stays proportional to the file.
  const parts = new Set<string>();
  let date1904 = false;
  await visitXml(await archive.pieces('xl/workbook.xml'), {
    open: ({ name, attributes }) => {
      if (name === 'workbookPr') date1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
      const target = name === 'sheet' ? relationships.get(attributes['r:id'] ?? '') : undefined;
      if (target && sheetKinds.has(target.kind) && archive.has(target.target) && !parts.has(target.target)) {
        parts.add(target.target);
        sheets.push({ name: attributes['name'] ?? '', part: target.target });
      }
    },
  });
  return { sheets, date1904 };
}

/** Returns the texts of a sheet's shapes and diagrams, and the titles of its charts; their values are cells already. */
async function drawnTexts(archive: Archive, { part }: Sheet, read: Set<string>): Promise<readonly string[]> {
  const texts: string[] = [];
  const isNew = (target: string): boolean =>
    !read.has(target) && archive.has(target) && Boolean(read.add(target));
  for (const { kind, target } of (await relationshipsOf(archive, part)).values()) {
    if (kind !== 'drawing' || !isNew(target)) continue;
    const drawing = await readSheetDrawing(archive, target);
    for (const text of drawing.texts) texts.push(text);
    const relationships = await relationshipsOf(archive, target);
    for (const id of drawing.charts) {
      const chart = relationships.get(id)?.target;
      if (chart !== undefined && isNew(chart)) texts.push(...(await readChart(archive, chart)).titles);
    }
    for (const id of drawing.diagrams) {
      const diagram = relationships.get(id)?.target;
      if (diagram === undefined || !isNew(diagram)) continue;
      for (const text of await readDiagram(archive, diagram)) texts.push(text);
    }
  }
  return texts;
}

/** Returns the comments of a sheet. Each part is read once, so that the work stays proportional to the file. */
async function commentsOf(archive: Archive, { part }: Sheet, read: Set<string>): Promise<readonly Comment[]> {
  const relationships = [...(await relationshipsOf(archive, part)).values()];
  const threads = relationships.filter(({ kind }) => kind === 'threadedComment');
  // If there are threads, the older part only repeats them, with a note for older programs.
  const parts = threads.length > 0 ? threads : relationships.filter(({ kind }) => kind === 'comments');
  const found: Comment[] = [];
  for (const { target } of parts) {
    if (read.has(target) || !archive.has(target)) continue;
    read.add(target);
    for (const { cell, text } of await readComments(archive, target))
      found.push({ cell, text: unescaped(text) });
  }
  return found;
}

async function readSharedStrings(archive: Archive, part: string): Promise<readonly string[]> {
  const strings: string[] = [];
  if (archive.has(part))
    await visitTexts(archive, part, { of: ['si'] }, (text) => strings.push(unescaped(text)));
  return strings;
}

async function readSheet(archive: Archive, sheet: Sheet, formats: CellFormats): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let row = new Map<number, string>();
  let column = -1;
  let type = '';
  let style = 0;
  let value = '';
  let inValue = false;
  let phonetic = false;
  await visitXml(await archive.pieces(sheet.part), {
    open: ({ name, attributes }) => {
      if (name === 'row') [row, column] = [new Map<number, string>(), -1];
      else if (name === 'c') {
        column = columnOf(attributes['r']) ?? column + 1;
        [type, style, value] = [attributes['t'] ?? 'n', Number(attributes['s'] ?? 0), ''];
      } else if (name === 'rPh') phonetic = true;
      else if (name === 'v' || name === 't') inValue = !phonetic;
    },
    text: (part) => {
      if (inValue) value += part;
    },
    close: (name) => {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'rPh') phonetic = false;
      else if (name === 'c') {
        const text = cellText({ type, style, value }, formats);
        if (text.trim() !== '') row.set(column, text);
      } else if (name === 'row' && row.size > 0) rows.push(row);
    },
  });
  return rows;
}

/** Returns the column of a reference such as `AB12`, counting from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (!letters) return undefined;
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** If a sheet has more empty cells than this per full cell, its rows and columns mean little. */
const mostEmpty = 32;

/**
 * Drops columns that are empty in all rows, since a sheet may have a single cell far to the right. For sheets
 * that are still nearly empty, drops every empty cell, so that the text stays proportional to its content.
 */
function writeRows(rows: readonly Row[], out: TextWriter): void {
  const used = new Set<number>();
  let full = 0;
  for (const row of rows) {
    full += row.size;
    for (const column of row.keys()) used.add(column);
  }
  const columns = [...used].sort((a, b) => a - b);
  const isSparse = rows.length * columns.length > full * mostEmpty;
  writeTable(
    rows.map((row) => {
      if (isSparse) return [...row].sort(([a], [b]) => a - b).map(([, text]) => text);
      const last = Math.max(...row.keys());
      return columns.filter((column) => column <= last).map((column) => row.get(column) ?? '');
    }),
    out,
  );
}
