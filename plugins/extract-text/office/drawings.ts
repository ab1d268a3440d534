import type { Archive } from './archive.js';
import { formatOf, numberText, type NumberFormat } from './xlsx-cells.js';
import { visitTexts } from './ooxml.js';
import { visitXml } from './xml.js';

/** A chart's titles, and a table with a column for each series. */
export interface Chart {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface Series {
  name: string;
  readonly categories: Map<number, string>;
  readonly values: Map<number, string>;
}

type Place = keyof Series;

/** The elements of a series: its name, its categories or x values, its values or y values. */
const places = new Map<string, Place>([
  ['tx', 'name'],
  ['cat', 'categories'],
  ['xVal', 'categories'],
  ['val', 'values'],
  ['yVal', 'values'],
]);

/** The elements that hold numbers with a format. */
const numbers = new Set(['numCache', 'numLit']);

/** The elements that begin another part of a title: a paragraph, a line, a cell. */
const apart = new Set(['p', 'br', 'pt']);

/** Reads a chart from the cached values of the worksheet behind it (ECMA-376 part 1, 21.2). */
export async function readChart(archive: Archive, part: string): Promise<Chart> {
  const titles: string[] = [];
  const series: Series[] = [];
  let current: Series | undefined;
  let place: Place | undefined;
  let index = 0;
  let title: string | undefined;
  let text: string | undefined;
  let date1904 = false;
  /** The format of the current numbers, and that of a point with a format of its own. */
  let format: NumberFormat = 'number';
  let ownFormat: string | undefined;
  let isNumbers = false;
  await visitXml(await archive.pieces(part), {
    open: ({ name, attributes }) => {
      if (title && apart.has(name)) title += ' ';
      if (name === 'title') title = '';
      else if (name === 'ser')
        series.push((current = { name: '', categories: new Map(), values: new Map() }));
      else if (places.has(name)) place = places.get(name);
      else if (name === 'date1904') date1904 = !/^(0|false)$/.test(attributes['val'] ?? '');
      else if (numbers.has(name)) [isNumbers, format] = [true, 'number'];
      else if (name === 'pt') {
        index = Number(attributes['idx'] ?? index + 1) || 0;
        ownFormat = attributes['formatCode'];
      } else if (name === 'v' || name === 't' || name === 'formatCode') text = '';
    },
    text: (run) => {
      if (text !== undefined) text += run;
    },
    close: (name) => {
      // The text of a title, or of the cell that it shows.
      if ((name === 't' || name === 'v') && title !== undefined) title += text ?? '';
      else if (name === 'formatCode') format = formatOf(text ?? '');
      else if (name === 'v' && current !== undefined && place !== undefined) {
        const kind = ownFormat === undefined ? format : formatOf(ownFormat);
        put(current, place, index, isNumbers ? numberText(text ?? '', kind, date1904) : (text ?? ''));
      } else if (name === 'title') {
        const shown = title?.replace(/\s+/g, ' ').trim();
        if (shown) titles.push(shown);
        title = undefined;
      } else if (name === 'ser') current = undefined;
      else if (places.has(name)) place = undefined;
      else if (numbers.has(name)) isNumbers = false;
      if (name === 'v' || name === 't' || name === 'formatCode') text = undefined;
    },
  });
  return { titles, rows: rowsOf(series) };
}

function put(series: Series, place: Place, index: number, value: string): void {
  if (place === 'name') series.name = value;
  // For a category with several levels, keeps only the narrowest, which comes first.
  else if (!series[place].has(index)) series[place].set(index, value);
}

/** Maximum table cells per value. Beyond it most cells are blank, and their number is quadratic in the file size. */
const mostCells = 8;

function rowsOf(series: readonly Series[]): readonly (readonly string[])[] {
  const categories = new Map<number, string>();
  const indices = new Set<number>();
  let count = 0;
  for (const each of series) {
    count += each.values.size;
    for (const [index, category] of each.categories)
      if (!categories.has(index)) categories.set(index, category);
    for (const index of [...each.categories.keys(), ...each.values.keys()]) indices.add(index);
  }
  const ordered = [...indices].sort((one, other) => one - other);
  if (ordered.length === 0) return [];
  if (ordered.length * series.length > mostCells * count)
    return series.flatMap(({ name, values }) =>
      [...values].map(([index, value]) => [name, categories.get(index) ?? '', value]),
    );
  const head = ['', ...series.map(({ name }) => name)];
  return [
    head,
    ...ordered.map((index) => [
      categories.get(index) ?? '',
      ...series.map(({ values }) => values.get(index) ?? ''),
    ]),
  ];
}

/** Returns the texts of a diagram's shapes in order (ECMA-376 part 1, 21.4). */
export async function readDiagram(archive: Archive, part: string): Promise<readonly string[]> {
  const texts: string[] = [];
  await visitTexts(archive, part, { of: ['pt'], apart: ['p'] }, (shape) => {
    const text = shape.replace(/\s+/g, ' ').trim();
    if (text !== '') texts.push(text);
  });
  return texts;
}

/** What a worksheet's drawing shows beside its cells: the texts of its shapes, and the ids of its charts and diagrams. */
export interface SheetDrawing {
  readonly texts: readonly string[];
  readonly charts: readonly string[];
  readonly diagrams: readonly string[];
}

/** Reads the drawing of a worksheet (ECMA-376 part 1, 20.5). */
export async function readSheetDrawing(archive: Archive, part: string): Promise<SheetDrawing> {
  const [texts, charts, diagrams]: [string[], string[], string[]] = [[], [], []];
  let paragraph = '';
  let inRun = false;
  await visitXml(await archive.pieces(part), {
    open: ({ name, attributes }) => {
      if (name === 'p') paragraph = '';
      else if (name === 't') inRun = true;
      else if (name === 'br') paragraph += ' ';
      else if (name === 'chart' && attributes['r:id']) charts.push(attributes['r:id']);
      else if (name === 'relIds' && attributes['r:dm']) diagrams.push(attributes['r:dm']);
    },
    text: (run) => {
      if (inRun) paragraph += run;
    },
    close: (name) => {
      if (name === 't') inRun = false;
      else if (name === 'p' && paragraph.trim() !== '') texts.push(paragraph.trim());
    },
  });
  return { texts, charts, diagrams };
}
