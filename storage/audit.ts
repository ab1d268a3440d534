import { isUuid } from '../core/ids.js';
import type { Db } from './database/connection.js';
import { newestFirst, type TimePage } from './database/newest-first.js';
import { prepared } from './database/prepared.js';

/** One change: who made it, from where, and what it changed. */
export interface AuditEntry {
  /** The key that made the change; null if it was made directly on the database, by `kw keys`. */
  readonly key: { readonly id: string; readonly name: string } | null;
  /** The network address of the client; null if there is none. */
  readonly address: string | null;
  /** The operation, by its name in the OpenAPI document. */
  readonly action: string;
  readonly object: { readonly type: string; readonly id: string | null };
  readonly requestId: string | null;
}

/** A stored entry. */
export interface WrittenAuditEntry extends AuditEntry {
  readonly id: string;
  readonly at: Date;
}

/** Filter for entries; all given conditions must match. */
export interface AuditFilter {
  /** The id of a key. */
  readonly key?: string;
  readonly action?: string;
  /** The id of the changed object. */
  readonly object?: string;
  /** The earliest time. */
  readonly since?: Date;
}

/** How long entries are kept, in days. */
export const auditDays = 365;

interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly key_id: string | null;
  readonly key_name: string | null;
  readonly address: string | null;
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string | null;
  readonly request_id: string | null;
}

const insert = prepared(
  'record_audit',
  `insert into audit (key_id, key_name, address, action, object_type, object_id, request_id)
   values (?, ?, ?, ?, ?, ?, ?)`,
);

/** Writes an entry, in the transaction of the change it describes. */
export async function recordAudit(
  trx: Db,
  { key, address, action, object, requestId }: AuditEntry,
): Promise<void> {
  const { id = null, name = null } = key ?? {};
  await insert(trx, [id, name, address, action, object.type, normal(object.id), requestId]);
}

/** Lowercases a UUID, as the other tables store it. */
const normal = (id: string | null): string | null => (id !== null && isUuid(id) ? id.toLowerCase() : id);

/** Entries older than the cursor's, newest first. */
export async function listAudit(
  db: Db,
  { key, action, object, since }: AuditFilter,
  page: TimePage,
): Promise<WrittenAuditEntry[]> {
  const query = db<AuditRow>('audit').select('*');
  if (key !== undefined) void query.where('key_id', key);
  if (action !== undefined) void query.where('action', action);
  if (object !== undefined) void query.where('object_id', normal(object));
  if (since !== undefined) void query.where('at', '>=', since);
  const rows: AuditRow[] = await query.modify(newestFirst(page, 'at'));
  return rows.map(fromRow);
}

function fromRow(row: AuditRow): WrittenAuditEntry {
  return {
    id: String(row.id),
    at: row.at,
    key: row.key_id === null ? null : { id: row.key_id, name: row.key_name ?? '' },
    address: row.address,
    action: row.action,
    object: { type: row.object_type, id: row.object_id },
    requestId: row.request_id,
  };
}

/** Removes entries older than `auditDays`. Returns their number. */
export async function removeOldAudit(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `delete from audit where (at, id) in (
       select at, id from audit where at < now() - make_interval(days => ?) order by at, id limit ?
     )`,
    [auditDays, limit],
  );
  return rowCount;
}
