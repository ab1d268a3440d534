import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { AuditQuery } from '../../api/audit.js';
import { startOfDay } from '../resources/days.js';

export const filterNames = ['key', 'action', 'object', 'since'] as const;
export type FilterName = (typeof filterNames)[number];

export type Changes = Partial<Record<FilterName | 'cursor', string>>;

export interface AuditAddress {
  readonly filter: Readonly<Partial<Record<FilterName, string>>>;
  readonly cursor: string | null;
  readonly query: AuditQuery;
  /** Sets parts of the filter; an empty value removes one. Returns to the first page. */
  readonly change: (changes: Changes) => void;
}

/** Reads and writes the log's query in the URL, so that it can be shared and Back restores it. */
export function useAuditAddress(): AuditAddress {
  const [parameters, setParameters] = useSearchParams();
  const change = useCallback(
    (changes: Changes) =>
      setParameters((before) => {
        const next = new URLSearchParams(before);
        next.delete('cursor');
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      }),
    [setParameters],
  );
  const address = parameters.toString();
  return useMemo(() => {
    const given = new URLSearchParams(address);
    const filter = Object.fromEntries(
      filterNames.flatMap((name) => {
        const value = given.get(name) ?? '';
        return value === '' ? [] : [[name, value]];
      }),
    ) as AuditAddress['filter'];
    const cursor = given.get('cursor');
    const query = {
      ...filter,
      ...(filter.since !== undefined && { since: startOfDay(filter.since) }),
      ...(cursor !== null && { cursor }),
    };
    return { filter, cursor, query, change };
  }, [address, change]);
}
