import type { Knex } from 'knex';
import { isInstant } from '../../core/instants.js';
import type { ResourceFilter } from '../../core/resources/resource-filter.js';
import type { ResourceSort } from '../../core/resources/resource-sort.js';
import type { Db } from '../database/connection.js';
import { applyResourceFilter } from './resource-filter.js';
import {
  readResources,
  selectResources,
  type ListedResource,
  type Resource,
  type ResourcePart,
} from './resources.js';

/** A resource's position in a list: its sort value, and its id as the tie-breaker. */
export interface ResourcePosition {
  readonly value: string | number;
  readonly id: string;
  /** Whether the value is only the beginning of a name, because the whole would make the cursor too long. */
  readonly isCut?: boolean;
}

/** The length of a cut name in code points. */
const cutLength = 100;

/** Resources of unknown size sort as smaller than all others. */
const unknownSize = -1;

const expressions = {
  created_at: 'r.created_at',
  updated_at: 'r.updated_at',
  name: 'r.name',
  size_bytes: `coalesce(r.size_bytes, ${unknownSize})`,
} as const;

type SortColumn = keyof typeof expressions;

const columnOf = (sort: ResourceSort): SortColumn => sort.replace('-', '') as SortColumn;

/** The position of a resource in a list with this order. */
export function positionOf(resource: Resource, sort: ResourceSort): ResourcePosition {
  const column = columnOf(sort);
  if (column === 'name') {
    const value = Array.from(resource.name).slice(0, cutLength).join('');
    return { value, id: resource.id, isCut: value !== resource.name };
  }
  const value =
    column === 'size_bytes' ? (resource.size_bytes ?? unknownSize) : resource[column].toISOString();
  return { value, id: resource.id };
}

/** Whether a value has the type of a position in a list with this order. */
export function fitsSort(value: unknown, sort: ResourceSort): value is string | number {
  const column = columnOf(sort);
  if (column === 'size_bytes') return Number.isSafeInteger(value);
  if (typeof value !== 'string') return false;
  if (column === 'name') return value.isWellFormed() && !value.includes('\0');
  return isInstant(value);
}

/** Matching resources, in order, after the position `after`, with the parts in `include`. */
export async function listResources(
  db: Db,
  filter: ResourceFilter,
  page: {
    readonly limit: number;
    readonly sort: ResourceSort;
    readonly after: ResourcePosition | null;
    readonly include?: readonly ResourcePart[];
  },
): Promise<ListedResource[]> {
  const expression = expressions[columnOf(page.sort)];
  const isDescending = page.sort.startsWith('-');
  const query = selectResources(db, page.include);
  applyResourceFilter(query, filter);
  if (page.after !== null) {
    const { value, id, isCut } = page.after;
    const behind = `(${expression}, r.id) ${isDescending ? '<' : '>'} (?, ?)`;
    void query.whereRaw(behind, [isCut === true ? wholeName(db, page.after, isDescending) : value, id]);
  }
  const direction = isDescending ? 'desc' : 'asc';
  void query.orderByRaw(`${expression} ${direction}, r.id ${direction}`).limit(page.limit);
  return await readResources(query);
}

/**
 * The name of the resource at a position with a cut name. If the resource was renamed or deleted, the page begins before
 * all names with the same beginning instead, so it may repeat some.
 */
function wholeName(db: Db, { value, id }: ResourcePosition, isDescending: boolean): Knex.Raw {
  const before = isDescending ? `${value}\u{10ffff}` : value;
  return db.raw(
    'coalesce((select p.name from resources p where p.id = ? and starts_with(p.name, ?)), ?::text)',
    [id, value, before],
  );
}

/** The number of matching resources, counted up to `most`; a result of `most` means at least that many. */
export async function countMatching(
  db: Db,
  filter: ResourceFilter,
  most: number,
): Promise<{ readonly value: number; readonly relation: 'eq' | 'gte' }> {
  const matching = db('resources as r')
    .select(db.raw('1'))
    .limit(most + 1);
  applyResourceFilter(matching, filter);
  const [row] = (await db.count('* as count').from(matching.as('matching'))) as { count: number }[];
  const count = row?.count ?? 0;
  return count > most ? { value: most, relation: 'gte' } : { value: count, relation: 'eq' };
}
