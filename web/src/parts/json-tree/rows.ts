/** A line of a tree of JSON. */
export interface JsonRow {
  /** A JSON Pointer; of the lines of a long text that of the text and the number of the line. */
  readonly path: string;
  readonly depth: number;
  /** Of an object's member its name, of an array's its index. */
  readonly key: string | null;
  readonly value: unknown;
  /** Null where it has nothing within it. */
  readonly isOpen: boolean | null;
  readonly place: number;
  readonly siblings: number;
}

/** Characters of a text that fit on a line. */
const longestText = 120;

export const isLongText = (value: unknown): value is string =>
  typeof value === 'string' && (value.length > longestText || value.includes('\n'));

export const isOpenable = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null && Object.keys(value).length > 0) || isLongText(value);

/** The visible lines of a value whose nodes at `open` are expanded. */
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

/** The contents of a value: members, or the lines of a long text, which have no name. */
function membersOf(value: unknown): readonly (readonly [string | null, unknown])[] {
  if (typeof value === 'string') return wrap(value).map((line) => [null, line] as const);
  return Object.entries(value as object).map(
    ([key, member]) => [key.replaceAll('~', '~0').replaceAll('/', '~1'), member] as const,
  );
}

function wrap(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const pieces: string[] = [];
    for (let at = 0; at === 0 || at < line.length; at += longestText)
      pieces.push(line.slice(at, at + longestText));
    return pieces;
  });
}

/** The nodes expanded at first: the top level, and more as long as everything fits on a page. */
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
