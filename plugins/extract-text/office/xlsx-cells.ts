import type { Archive } from './archive.js';
import { fileFault } from '../failures.js';
import { visitXml } from './xml.js';

export type NumberFormat = 'date' | 'duration' | 'percent' | 'number';

export interface CellFormats {
  readonly date1904: boolean;
  /** By cell style. */
  readonly numberFormats: readonly NumberFormat[];
  readonly sharedStrings: readonly string[];
}

export interface Cell {
  /** `n`, `s`, `str`, `inlineStr`, `b`, `e` or `d` (ECMA-376 part 1, 18.18.11). */
  readonly type: string;
  readonly style: number;
  readonly value: string;
}

/**
 * Returns a cell's value as a reader would see it: dates in ISO 8601, numbers without a unit or grouping. Throws
 * UNREADABLE_FILE if the workbook lacks the cell's text.
 */
export function cellText({ type, style, value }: Cell, formats: CellFormats): string {
  if (type === 's') return sharedString(value, formats.sharedStrings);
  if (type === 'b') return /^(1|true)$/.test(value.trim()) ? 'TRUE' : 'FALSE';
  if (type === 'n') return numberText(value, formats.numberFormats[style] ?? 'number', formats.date1904);
  return type === 'str' || type === 'inlineStr' ? unescaped(value) : value;
}

function sharedString(index: string, strings: readonly string[]): string {
  if (index.trim() === '') return '';
  const string = strings[Number(index)];
  if (string === undefined)
    throw fileFault('UNREADABLE_FILE', 'The text of some cells is missing from the file');
  return string;
}

/** Decodes the characters that a string escapes, such as `_x000D_` (ECMA-376 part 1, 22.9.2.19). */
export function unescaped(string: string): string {
  return string.replace(/_x([\da-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** Returns a number as a reader would see it, and anything else as it is. */
export function numberText(value: string, format: NumberFormat, date1904: boolean): string {
  const number = Number(value);
  if (value.trim() === '' || Number.isNaN(number)) return value;
  if (format === 'date') return serialDate(number, date1904) ?? shown(number);
  if (format === 'duration') return duration(number) ?? shown(number);
  return format === 'percent' ? `${shown(number * 100)}%` : shown(number);
}

/** Rounds to 15 digits, the precision of spreadsheets: 0.1 + 0.2 is 0.3. */
function shown(number: number): string {
  return String(Number(number.toPrecision(15)));
}

const dayMs = 86_400_000;
const mostDays = 2_958_466;

/** A serial date as `YYYY-MM-DD`, with a time if it has one; below 1 only a time; null if it is not a date. */
function serialDate(serial: number, date1904: boolean): string | null {
  if (serial < 0 || serial > mostDays) return null;
  // Spreadsheets count 29 February 1900, which did not exist. Earlier dates are off by one.
  const epoch = date1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const iso = new Date(Math.round((epoch + serial * dayMs) / 1000) * 1000).toISOString();
  const date = iso.slice(0, 10);
  const time = iso.slice(11, 19);
  if (serial < 1 && !date1904) return time;
  return time === '00:00:00' ? date : `${date} ${time}`;
}

/** Converts days to `H:MM:SS`, with more than 24 hours if there are; null if they are beyond the range of dates. */
function duration(days: number): string | null {
  if (Math.abs(days) > mostDays) return null;
  const seconds = Math.round(Math.abs(days) * 86_400);
  const [minutes, sign] = [Math.floor(seconds / 60), days < 0 && seconds > 0 ? '-' : ''];
  const [mm, ss] = [minutes % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  return `${sign}${Math.floor(minutes / 60)}:${mm}:${ss}`;
}

/** Reads the kinds of number format that a workbook's cell styles use. */
export async function readNumberFormats(archive: Archive, part: string): Promise<readonly NumberFormat[]> {
  const custom = new Map<number, NumberFormat>();
  const styles: NumberFormat[] = [];
  let inCellFormats = false;
  if (!archive.has(part)) return styles;
  await visitXml(await archive.pieces(part), {
    open: ({ name, attributes }) => {
      const id = Number(attributes['numFmtId']);
      if (name === 'numFmt') custom.set(id, formatOf(attributes['formatCode'] ?? ''));
      else if (name === 'cellXfs') inCellFormats = true;
      else if (name === 'xf' && inCellFormats) styles.push(custom.get(id) ?? builtInFormat(id));
    },
    close: (name) => {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return styles;
}

/** Spreadsheets allow 255 characters. */
const longestFormat = 1000;

/** Returns the kind of a format that needs no definition (ECMA-376 part 1, 18.8.30). */
function builtInFormat(id: number): NumberFormat {
  if (id === 9 || id === 10) return 'percent';
  if (id === 46) return 'duration';
  const isDate =
    (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 || (id >= 50 && id <= 58);
  return isDate ? 'date' : 'number';
}

/** Returns the kind of a format by its code, for example `d/m/yyyy`. */
export function formatOf(code: string): NumberFormat {
  // Ignores quoted words, escaped characters and brackets (colours, currencies), except `[h]`.
  const marks =
    code
      .slice(0, longestFormat)
      .replace(/"[^"]*"|\\.|_.|\[(?!(h+|m+|s+)\])[^\]]*\]/gi, '')
      .split(';')[0] ?? '';
  if (marks.includes('%')) return 'percent';
  if (/\[(?:h+|m+|s+)\]/i.test(marks)) return 'duration';
  return /[ymdhs]/i.test(marks.replace(/general/i, '')) ? 'date' : 'number';
}
