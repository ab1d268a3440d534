import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AuditEntry } from '@knowledge-warehouse/client';
import { api, type Page } from './client.js';

/** The query of the audit log, in the API's names. */
export interface AuditQuery {
  readonly key?: string;
  readonly action?: string;
  readonly object?: string;
  readonly since?: string;
  readonly cursor?: string;
}

const pageSize = 50;

/** Returns a page of the audit log. No event announces new entries, so it is reloaded whenever it is shown. */
export function useAudit(query: AuditQuery): UseQueryResult<Page<AuditEntry>> {
  return useQuery({
    queryKey: ['audit', query],
    queryFn: async ({ signal }) =>
      (await api.GET('/audit', { params: { query: { ...query, limit: pageSize } }, signal })).value,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
