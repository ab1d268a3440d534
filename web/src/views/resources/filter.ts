import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import type { ResourceFilter } from '../../api/resources.js';

const names = ['q', 'type', 'status', 'source_type', 'is_enabled', 'cursor'] as const;

export type FilterName = (typeof names)[number];

interface UsedFilter {
  readonly filter: ResourceFilter;
  /** Sets some of it; whatever changes but the page itself leads to the first page. */
  readonly change: (changes: Partial<Record<FilterName, string>>) => void;
  readonly clear: () => void;
  readonly isFiltered: boolean;
}

/** What the list shows stands in the address, so that it can be shared and the way back works. */
export function useFilter(): UsedFilter {
  const [parameters, setParameters] = useSearchParams();
  const filter = Object.fromEntries(
    names.flatMap((name) => {
      const value = parameters.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  ) as ResourceFilter;
  const change = useCallback(
    (changes: Partial<Record<FilterName, string>>) => {
      setParameters(
        (before) => {
          const next = new URLSearchParams(before);
          if (!('cursor' in changes)) next.delete('cursor');
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        // Typing fills no history; a page or a filter is a step that one goes back.
        { replace: 'q' in changes },
      );
    },
    [setParameters],
  );
  return {
    filter,
    change,
    clear: () => setParameters(new URLSearchParams()),
    isFiltered: names.some((name) => name !== 'cursor' && filter[name] !== undefined),
  };
}
