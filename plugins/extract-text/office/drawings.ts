import type { Archive } from './archive.js';
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

/** Reads a chart from the cached values of the worksheet behind it (ECMA-376 part 1, 21.2). */
export async function readChart(archive: Archive, part: string): Promise<Chart> {
  const titles: string[] = [];
  const series: Series[] = [];
  let current: Series | undefined;
  let place: Place | undefined;
  let index = 0;
  let title: string | undefined;
  let text: string | undefined;
  await visitXml(await archive.pieces(part), {
    open: ({ name, attributes }) => {
      if (name === 'title') title = '';
      else if (name === 'ser')
        series.push((current = { name: '', categories: new Map(), values: new Map() }));
      else if (places.has(name)) place = places.get(name);
      else if (name === 'pt') index = Number(attributes['idx'] ?? index + 1) || 0;
      else if (name === 'v' || name === 't') text = '';
    },
    text: (run) => {
      if (text !== undefined) text += run;
    },
    close: (name) => {
      if (name === 't' && title !== undefined) title += text ?? '';
      else if (name === 'v' && current !== undefined && place !== undefined)
        put(current, place, index, text ?? '');
      else if (name === 'title') {
        if (title?.trim()) titles.push(title.trim());
        title = undefined;
      } else if (name === 'ser') current = undefined;
      else if (places.has(name)) place = undefined;
      if (name === 'v' || name === 't') text = undefined;
    },
  });
  return { titles, rows: rowsOf(series) };
}

function put(series: Series, place: Place, index: number, value: string): void {
  if (place === 'name') series.name = value;
  // Of a category with several levels, only the narrowest is kept, which comes first.
  else if (!series[place].has(index)) series[place].set(index, value);
}

/**
 * Maximum number of table cells per value. Above it most cells are blank, and their number is quadratic in the file
 * size.
 */
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
  let shape: string | undefined;
  let inRun = false;
  await visitXml(await archive.pieces(part), {
    open: ({ name }) => {
      if (name === 'pt') shape = '';
      else if (name === 'p' && shape) shape += ' ';
      else if (name === 't') inRun = true;
    },
    text: (run) => {
      if (inRun && shape !== undefined) shape += run;
    },
    close: (name) => {
      if (name === 't') inRun = false;
      else if (name === 'pt') {
        const text = shape?.replace(/\s+/g, ' ').trim();
        if (text) texts.push(text);
        shape = undefined;
      }
    },
  });
  return texts;
}
