import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { changed } from '../../parts/changed-parameters.js';
import { filterIn, isFilter, newestFirst, pageSizes, type Changes, type Filter } from './filter.js';

interface UsedFilter {
  readonly filter: Filter;
  readonly sort: string;
  readonly limit: number;
  readonly cursor: string | null;
  /**
   * Sets parts of the state; an empty value removes one. Every change except of the page itself returns to the first
   * page.
   */
  readonly change: (changes: Changes) => void;
  readonly clear: () => void;
  readonly isFiltered: boolean;
}

/** The filters that are typed. */
const typed: readonly string[] = ['q', 'created_after', 'created_before', 'updated_after', 'updated_before'];

/** Keeps the state of the list in the URL, so that it can be shared and Back restores it. */
export function useFilter(): UsedFilter {
  const [parameters, setParameters] = useSearchParams();
  const change = useCallback(
    (changes: Changes) =>
      setParameters(
        (before) => changed(before, { cursor: '', ...changes }),
        // Typing adds no history entries; pages and other filters do.
        { replace: Object.keys(changes).some((name) => typed.includes(name)) },
      ),
    [setParameters],
  );
  const clear = useCallback(
    () =>
      setParameters((before) => {
        const next = new URLSearchParams(before);
        for (const name of [...before.keys()]) if (isFilter(name) || name === 'cursor') next.delete(name);
        return next;
      }),
    [setParameters],
  );
  const address = parameters.toString();
  const filter = useMemo(() => filterIn(new URLSearchParams(address)), [address]);
  return {
    filter,
    sort: parameters.get('sort') ?? newestFirst,
    limit: pageSizes.find((size) => String(size) === parameters.get('limit')) ?? 50,
    cursor: parameters.get('cursor'),
    change,
    clear,
    isFiltered: Object.keys(filter).length > 0,
  };
}
