import { auditDays, listAudit } from '../../storage/audit.js';
import { loadPage, readPosition, timePosition } from '../lookups/pages.js';
import { readInstant } from '../request/instants.js';
import { defineRoute, type Route } from '../route.js';
import { auditEntrySchema, auditQuery } from '../schemas/audit.js';
import { listOf } from '../schemas/common.js';

const isEntryId = (id: string): boolean => /^[1-9]\d{0,15}$/.test(id);

const list = defineRoute({
  method: 'GET',
  path: '/audit',
  operationId: 'listAudit',
  summary: 'List who changed what',
  description: `Newest first. Every change to resources, pipelines, plugins and keys through this API, every log-in and every log-out has an entry, written in the same transaction. Refused requests and the work of plugins and of the service itself have no entries. Entries hold neither contents nor secrets, and are kept for ${auditDays} days.`,
  tag: 'Access',
  scope: 'admin',
  query: auditQuery,
  responses: {
    200: { description: 'A page of entries.', schema: listOf('AuditEntryList', auditEntrySchema) },
  },
  async handler({ deps, query }) {
    const { limit, cursor, since, ...filter } = query;
    const before = readPosition(cursor, isEntryId);
    const wanted = {
      ...filter,
      ...(since !== undefined && { since: new Date(readInstant(since, '/since')) }),
    };
    const page = await loadPage(
      limit,
      (rows) => listAudit(deps.db, wanted, { limit: rows, before }),
      ({ at, id }) => timePosition({ created_at: at, id }),
    );
    const items = page.items.map(({ requestId, at, ...entry }) => ({
      ...entry,
      at: at.toISOString(),
      request_id: requestId,
    }));
    return { status: 200, body: { ...page, items } };
  },
});

export const auditRoutes: readonly Route[] = [list];
