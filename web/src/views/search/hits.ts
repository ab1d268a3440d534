import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { SearchHit } from '@knowledge-warehouse/client';

export const keyOf = ({ resource, run, chunk }: SearchHit): string => `${resource.id} ${run} ${chunk.index}`;

/** Returns the links of the hits, best first. */
export const linksIn = (list: ParentNode): readonly HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>('[data-hit] a'),
];

/** Returns a function that makes the first new hit take the focus, if the focus is lost when the next hits arrive. */
export function useFocusOnNew({
  data,
  isPlaceholderData,
}: Pick<UseQueryResult<{ readonly items: readonly SearchHit[] }>, 'data' | 'isPlaceholderData'>): () => void {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (known.current === null || data === undefined || isPlaceholderData) return;
    const before = known.current;
    known.current = null;
    const first = data.items.findIndex((hit) => !before.has(keyOf(hit)));
    if (document.activeElement === document.body) linksIn(document)[first]?.focus();
  }, [data, isPlaceholderData]);
  return () => (known.current = new Set(data?.items.map(keyOf)));
}
