/** A value shown on one line. */
export interface MetadataFact {
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

/** A value shown as a tree. */
export interface NestedMetadata {
  readonly key: string;
  readonly name: string;
  readonly value: unknown;
  /** The number of its entries. */
  readonly count: number;
}

/** The maximum number of characters of a list shown on one line. */
const longestList = 200;

/**
 * Splits metadata into one-line and nested values.
 *
 * @param isVerbatim Leaves keys and values as they are, since someone wrote them and can search for them.
 */
export function readMetadata(
  metadata: Readonly<Record<string, unknown>>,
  isVerbatim: boolean,
): {
  readonly facts: readonly MetadataFact[];
  readonly nested: readonly NestedMetadata[];
} {
  const facts: MetadataFact[] = [];
  const nested: NestedMetadata[] = [];
  for (const [key, value] of Object.entries(metadata)) {
    const name = isVerbatim ? key : nameOf(key);
    const line = isVerbatim ? asWritten(value) : lineOf(value);
    if (line === null) nested.push({ key, name, value, count: Object.keys(value as object).length });
    else facts.push({ key, name, value: line });
  }
  return { facts, nested };
}

/** Converts `text_format` to "Text format". */
function nameOf(key: string): string {
  const words = key.replace(/[_\s]+/g, ' ').trim();
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1);
}

function lineOf(value: unknown): string | null {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) && value.length === 0 ? '–' : asWritten(value);
}

function asWritten(value: unknown): string | null {
  if (!isObject(value)) return String(value);
  if (!Array.isArray(value) || value.some(isObject)) return null;
  if (value.length === 0) return '[]';
  const line = value.map(String).join(', ');
  return line.length > longestList ? null : line;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
