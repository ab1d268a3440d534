import { useSearchParams } from 'wouter';
import type { AuditQuery } from '../../api/audit.js';
import { changed } from '../../parts/changed-parameters.js';
import { startOfDay } from '../resources/days.js';

const filterNames = ['key', 'action', 'object', 'since'] as const;
export type FilterName = (typeof filterNames)[number];

export interface AuditAddress {
  readonly filter: Readonly<Partial<Record<FilterName, string>>>;
  readonly cursor: string | null;
  readonly query: AuditQuery;
  /** Sets parts of the filter; an empty value removes one. Returns to the first page. */
  readonly change: (changes: Partial<Record<FilterName | 'cursor', string>>) => void;
}

/** Reads and writes the log's query in the URL, so that it can be shared and Back restores it. */
export function useAuditAddress(): AuditAddress {
  const [parameters, setParameters] = useSearchParams();
  const given = filterNames.map((name) => [name, parameters.get(name) ?? ''] as const);
  const filter: AuditAddress['filter'] = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const cursor = parameters.get('cursor');
  const query = {
    ...filter,
    ...(filter.since !== undefined && { since: startOfDay(filter.since) }),
    ...(cursor !== null && { cursor }),
  };
  const change: AuditAddress['change'] = (changes) =>
    setParameters((before) => changed(before, { cursor: '', ...changes }));
  return { filter, cursor, query, change };
}
