import type { MetadataBound, MetadataCondition } from '../../core/resources/resource-filter.js';

/** A condition on the resource `r`, as SQL with `?` for bound values. */
interface Condition {
  readonly sql: string;
  readonly bindings: readonly string[];
}

/**
 * How many code points of a string metadata_entry() keeps. A string has at most as many code points as UTF-16 units.
 */
const keptOfText = 200;

/** Per value type: the prefix of its entries, after their key, and the first prefix after all of them. */
const kinds = [
  { kind: 'number', begin: 'n', end: 'o' },
  { kind: 'text', begin: 's', end: 't' },
] as const;

/** The resources whose value of a key is within bounds. Values of a type without a bound do not match. */
export function metadataRange({ key, gte, lte }: MetadataCondition): Condition {
  const ranges = kinds.flatMap((kind) => rangeOf(kind, key, gte, lte) ?? []);
  if (ranges.length === 0) return { sql: 'false', bindings: [] };
  // A single subquery for both types: with two, the planner could start from neither.
  const any = ranges.map(({ sql }) => `(${sql})`).join(' or ');
  return {
    sql: `exists (select 1 from metadata_values m where m.resource_id = r.id and (${any}))`,
    bindings: ranges.flatMap(({ bindings }) => bindings),
  };
}

function rangeOf(
  { kind, begin, end }: (typeof kinds)[number],
  key: string,
  gte: MetadataBound | undefined,
  lte: MetadataBound | undefined,
): Condition | null {
  const bounds = [
    { operator: '>=', bound: gte, open: { sql: 'm.entry >= ?', bindings: [`${key}\u0001${begin}`] } },
    { operator: '<=', bound: lte, open: { sql: 'm.entry < ?', bindings: [`${key}\u0001${end}`] } },
  ];
  const conditions: Condition[] = [];
  for (const { operator, bound, open } of bounds) {
    const limit = bound?.[kind];
    if (bound !== undefined && limit === undefined) return null;
    if (limit === undefined) conditions.push(open);
    else conditions.push(...compared(operator, key, limit));
  }
  return {
    sql: conditions.map(({ sql }) => sql).join(' and '),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

function compared(operator: string, key: string, limit: string | number): readonly Condition[] {
  const byEntry = {
    sql: `m.entry ${operator} metadata_entry(?, ?::jsonb)`,
    bindings: [key, JSON.stringify(limit)],
  };
  if (typeof limit === 'number' || limit.length < keptOfText) return [byEntry];
  // Entries hold only the beginning of a string; two different strings may have equal entries.
  return [byEntry, { sql: `(r.metadata ->> ?) collate "C" ${operator} ?`, bindings: [key, limit] }];
}
