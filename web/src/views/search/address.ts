import { useSearchParams } from 'wouter';
import {
  isFilter,
  readSearch,
  writeSize,
  type Filter,
  type SearchMode,
  type SearchQuery,
  type SearchSize,
} from './search-query.js';

interface UsedSearch {
  readonly query: SearchQuery;
  /** The parameters of the URL. */
  readonly search: string;
  readonly setMode: (mode: SearchMode) => void;
  readonly add: (filter: Filter) => void;
  readonly remove: (filter: Filter) => void;
  readonly clearFilters: () => void;
  readonly resize: (size: SearchSize) => void;
}

/** Keeps the search in the page's URL, so that it can be shared and Back works. */
export function useSearchAddress(): UsedSearch {
  const [parameters, setParameters] = useSearchParams();
  const change = (edit: (next: URLSearchParams) => void, options?: { readonly replace: boolean }): void =>
    setParameters((before) => {
      const next = new URLSearchParams(before);
      next.delete('limit');
      next.delete('per_resource');
      edit(next);
      return next;
    }, options);
  return {
    query: readSearch(parameters),
    search: String(parameters),
    setMode: (mode) => change((next) => (mode === 'text' ? next.delete('mode') : next.set('mode', mode))),
    add: ([name, value]) =>
      change((next) => {
        if (!next.getAll(name).includes(value)) next.append(name, value);
      }),
    remove: ([name, value]) => change((next) => next.delete(name, value)),
    clearFilters: () =>
      change((next) => {
        for (const name of [...next.keys()].filter(isFilter)) next.delete(name);
      }),
    resize: (size) => change((next) => writeSize(next, size), { replace: true }),
  };
}
