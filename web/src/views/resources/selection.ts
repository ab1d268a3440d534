import { startTransition, useCallback, useEffect, useMemo, useOptimistic, useRef, useState } from 'react';
import type { ListedResource } from '@knowledge-warehouse/client';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly isPageSelected: boolean;
  /** Whether all matching resources are selected, including those on other pages. */
  readonly isAllSelected: boolean;
  readonly selectAll: () => void;
  /** Toggles one resource; with `isRange`, selects all from the previous one to it. */
  readonly toggle: (id: string, isRange: boolean) => void;
  readonly togglePage: () => void;
  readonly clear: () => void;
}

/** Manages the selected resources of the page. Resources that leave the page are deselected. */
export function useSelection(resources: readonly ListedResource[]): Selection {
  const [isAll, setIsAll] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const shown = useRef(resources);
  useEffect(() => {
    shown.current = resources;
  }, [resources]);

  const ids = useMemo(
    () => new Set(resources.filter(({ id }) => chosen.has(id)).map(({ id }) => id)),
    [resources, chosen],
  );
  const toggle = useCallback((id: string, isRange: boolean) => {
    const order = shown.current.map((resource) => resource.id);
    const from = isRange && last.current !== null ? order.indexOf(last.current) : -1;
    const to = order.indexOf(id);
    const range = from === -1 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    setIsAll(false);
    setChosen((before) => {
      const next = new Set(before);
      const isAdding = !before.has(id);
      for (const each of range) {
        if (isAdding) next.add(each);
        else next.delete(each);
      }
      return next;
    });
  }, []);
  const [isPageSelected, setIsPageSelected] = useOptimistic(
    resources.length > 0 && ids.size === resources.length,
  );
  // Changes every row. Only the box of the page follows at once, because the rows take long on a slow machine.
  const choose = (next: readonly ListedResource[]): void =>
    startTransition(() => {
      setIsPageSelected(next.length > 0);
      setIsAll(false);
      setChosen(new Set(next.map(({ id }) => id)));
    });
  return {
    ids,
    isPageSelected,
    isAllSelected: isAll && isPageSelected,
    selectAll: () => setIsAll(true),
    toggle,
    togglePage: () => choose(isPageSelected ? [] : resources),
    clear: () => choose([]),
  };
}
