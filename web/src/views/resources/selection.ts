import { startTransition, useCallback, useEffect, useMemo, useOptimistic, useRef, useState } from 'react';
import type { ListedResource } from '@knowledge-warehouse/client';
import type { Filter } from './filter.js';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly isPageSelected: boolean;
  /** Whether some, but not all resources of the page are selected. */
  readonly isPagePartial: boolean;
  /** Whether all matching resources are selected, including those that arrive later. `ids` has only those of the page. */
  readonly isAllSelected: boolean;
  readonly selectAll: () => void;
  /** Toggles one resource; with `isRange`, selects all from the previous one to it. */
  readonly toggle: (id: string, isRange: boolean) => void;
  readonly togglePage: () => void;
  readonly clear: () => void;
}

/**
 * Manages the selected resources. They stay selected while other pages are shown or rows leave the page; a change of the
 * filter clears the selection.
 */
export function useSelection(resources: readonly ListedResource[], filter: Filter): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string> | 'all'>(new Set());
  const last = useRef<string | null>(null);
  const shown = useRef(resources);
  useEffect(() => {
    shown.current = resources;
  }, [resources]);
  const filterKey = JSON.stringify(filter);
  const [chosenIn, setChosenIn] = useState(filterKey);
  if (filterKey !== chosenIn) {
    setChosenIn(filterKey);
    setChosen(new Set());
  }

  const ids = useMemo(() => (chosen === 'all' ? idsOf(resources) : chosen), [resources, chosen]);
  const toggle = useCallback((id: string, isRange: boolean) => {
    const order = shown.current.map((resource) => resource.id);
    const from = isRange && last.current !== null ? order.indexOf(last.current) : -1;
    const to = order.indexOf(id);
    const range = from === -1 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    setChosen((before) => {
      const next = new Set(before === 'all' ? order : before);
      const isAdding = !next.has(id);
      for (const each of range) {
        if (isAdding) next.add(each);
        else next.delete(each);
      }
      return next;
    });
  }, []);
  const [isPageSelected, setIsPageSelected] = useOptimistic(
    resources.length > 0 && resources.every(({ id }) => ids.has(id)),
  );
  // Changes every row. Only the box of the page follows at once, because the rows take long on a slow machine.
  const choose = (next: ReadonlySet<string>, isWholePage: boolean): void =>
    startTransition(() => {
      setIsPageSelected(isWholePage);
      setChosen(next);
    });
  const togglePage = (): void => {
    const page = idsOf(resources);
    if (isPageSelected) choose(new Set([...ids].filter((id) => !page.has(id))), false);
    else choose(new Set([...ids, ...page]), page.size > 0);
  };
  return {
    ids,
    isPageSelected,
    isPagePartial: !isPageSelected && resources.some(({ id }) => ids.has(id)),
    isAllSelected: chosen === 'all',
    selectAll: () => setChosen('all'),
    toggle,
    togglePage,
    clear: () => choose(new Set(), false),
  };
}

const idsOf = (resources: readonly ListedResource[]): ReadonlySet<string> =>
  new Set(resources.map(({ id }) => id));
