import { splitEvery } from '../code-points.js';

/** A line of a JSON tree. */
export interface JsonRow {
  /** A JSON Pointer. For a line of a long text: the text's pointer and the line number. */
  readonly path: string;
  readonly depth: number;
  /** The name of an object's member, or the index of an array's item. */
  readonly key: string | null;
  readonly value: unknown;
  /** Null if it has no children. */
  readonly isOpen: boolean | null;
  readonly place: number;
  readonly siblings: number;
}

/** The maximum number of characters of a text on one line. */
const longestText = 120;

export const isLongText = (value: unknown): value is string =>
  typeof value === 'string' && (value.length > longestText || value.includes('\n'));

export const isOpenable = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null && Object.keys(value).length > 0) || isLongText(value);

/** Returns the visible lines of a value whose nodes at `open` are expanded. */
export function toRows(value: unknown, open: ReadonlySet<string>): readonly JsonRow[] {
  const rows: JsonRow[] = [];
  const visit = (node: Omit<JsonRow, 'isOpen'>): void => {
    const isOpen = isOpenable(node.value) ? open.has(node.path) : null;
    rows.push({ ...node, isOpen });
    if (isOpen !== true) return;
    const members = membersOf(node.value);
    members.forEach(([key, member], place) =>
      visit({
        path: `${node.path}/${key ?? place}`,
        depth: node.depth + 1,
        key,
        value: member,
        place: place + 1,
        siblings: members.length,
      }),
    );
  };
  visit({ path: '', depth: 0, key: null, value, place: 1, siblings: 1 });
  return rows;
}

/** Returns the contents of a value: members, or the unnamed lines of a long text. */
function membersOf(value: unknown): readonly (readonly [string | null, unknown])[] {
  if (typeof value === 'string') return wrap(value).map((line) => [null, line] as const);
  return Object.entries(value as object).map(
    ([key, member]) => [key.replaceAll('~', '~0').replaceAll('/', '~1'), member] as const,
  );
}

function wrap(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => splitEvery(line, longestText));
}

/** Returns the nodes to expand at first: the top level, and more as long as everything fits on a page. */
export function openAtFirst(value: unknown): ReadonlySet<string> {
  const open = new Set(['']);
  const rows = toRows(value, open);
  let count = rows.length;
  for (const row of rows) {
    if (row.isOpen !== false || isLongText(row.value)) continue;
    const more = membersOf(row.value).length;
    if (more > 12 || count + more > 40) continue;
    open.add(row.path);
    count += more;
  }
  return open;
}
