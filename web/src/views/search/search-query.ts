import { filterIn, isFilter as isListFilter, toOperationFilter } from '../resources/filter.js';

export const searchModes = ['text', 'vector', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

const resourceId = 'resource_id';
const firstLimit = 10;
export const largestLimit = 50;

/** `q` is the text to find. The API rejects the filters of the list that a search does not have, such as `status`. */
export const isFilter = (name: string): boolean =>
  name === resourceId || (name !== 'q' && isListFilter(name));

export type Filter = readonly [name: string, value: string];

/** The search, as stored in the page's URL. */
export interface SearchQuery {
  readonly q: string;
  readonly mode: SearchMode;
  readonly limit: number;
  /** Filters by their API names. Several values of one mean any of them. */
  readonly filters: readonly Filter[];
  /** The body of the request. */
  readonly body: object;
}

/** Returns the search in the query of a URL. */
export function readSearch(parameters: URLSearchParams): SearchQuery {
  const q = parameters.get('q')?.trim() ?? '';
  const mode = searchModes.find((known) => known === parameters.get('mode')) ?? 'text';
  const limit = parameters.get('limit') === String(largestLimit) ? largestLimit : firstLimit;
  const filters = [...parameters].filter(([name, value]) => isFilter(name) && value !== '');
  const ids = parameters.getAll(resourceId).filter((id) => id !== '');
  const { q: _words, ...filter } = filterIn(parameters);
  const body = {
    q,
    mode,
    limit,
    ...(ids.length > 0 && { [resourceId]: ids }),
    ...(Object.keys(filter).length > 0 && { filter: toOperationFilter(filter) }),
  };
  return { q, mode, limit, filters, body };
}
