import type { SearchHit } from '@knowledge-warehouse/client';
import { plural } from '../../parts/format.js';
import { filterIn, isFilter as isListFilter, toOperationFilter } from '../resources/filter.js';

export const searchModes = ['text', 'vector', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

const resourceId = 'resource_id';
const firstSize: SearchSize = { limit: 10, perResource: 3 };
const largest = 50;

/** `q` is the text to find. The API rejects the filters of the list that a search does not have, such as `status`. */
export const isFilter = (name: string): boolean =>
  name === resourceId || (name !== 'q' && isListFilter(name));

export type Filter = readonly [name: string, value: string];

/** How many hits a search returns at most, and how many of one resource. */
export interface SearchSize {
  readonly limit: number;
  readonly perResource: number;
}

/** The search, as stored in the page's URL. */
export interface SearchQuery extends SearchSize {
  readonly q: string;
  readonly mode: SearchMode;
  /** Filters by their API names. Several values of one mean any of them. */
  readonly filters: readonly Filter[];
  /** The body of the request. */
  readonly body: object;
}

/** Returns the search in the query of a URL. */
export function readSearch(parameters: URLSearchParams): SearchQuery {
  const q = parameters.get('q')?.trim() ?? '';
  const mode = searchModes.find((known) => known === parameters.get('mode')) ?? 'text';
  const isLargest = (name: string): boolean => parameters.get(name) === String(largest);
  const limit = isLargest('limit') ? largest : firstSize.limit;
  const filters = [...parameters].filter(([name, value]) => isFilter(name) && value !== '');
  const ids = parameters.getAll(resourceId).filter((id) => id !== '');
  const ofEach = isLargest('per_resource') ? largest : firstSize.perResource;
  const perResource = ids.length === 1 ? limit : ofEach;
  const { q: _words, ...filter } = filterIn(parameters);
  const body = {
    ...{ q, mode, limit, per_resource: perResource },
    ...(ids.length > 0 && { [resourceId]: ids }),
    ...(Object.keys(filter).length > 0 && { filter: toOperationFilter(filter) }),
  };
  return { q, mode, limit, perResource, filters, body };
}

/** Writes the size of a search into its URL. */
export function writeSize(parameters: URLSearchParams, { limit, perResource }: SearchSize): void {
  if (limit === largest) parameters.set('limit', String(largest));
  if (perResource === largest) parameters.set('per_resource', String(largest));
}

interface Found {
  /** How many hits there are, in words. */
  readonly summary: string;
  /** The size of a search that may find more; null if none does. */
  readonly more: SearchSize | null;
}

/** Describes the hits that a search of this size found. */
export function describeFound(
  { limit, perResource }: SearchSize,
  hits: readonly Pick<SearchHit, 'resource'>[],
): Found {
  const passages = plural(hits.length, 'passage');
  if (hits.length >= limit)
    return {
      summary: `The best ${passages}`,
      more: limit < largest ? { limit: largest, perResource } : null,
    };
  const counts = new Map<string, number>();
  for (const { resource } of hits) counts.set(resource.id, (counts.get(resource.id) ?? 0) + 1);
  return [...counts.values()].includes(perResource)
    ? { summary: `${passages}, the best of each document`, more: { limit: largest, perResource: largest } }
    : { summary: `${passages} found`, more: null };
}
