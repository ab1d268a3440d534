import { leastId } from '../../core/ids.js';
import { operationRetentionDays } from '../../core/operations.js';
import type { Db } from '../database/connection.js';

/** Records that an operation made progress. */
export async function noteProgress(db: Db, id: string): Promise<void> {
  await db('operations').where({ id, status: 'RUNNING' }).update({ progressed_at: db.fn.now() });
}

/** Completes an operation that has no open items: RUNNING → COMPLETED. Returns whether no items are open. */
export async function completeOperation(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `update operations o set status = 'COMPLETED', progressed_at = now(), finished_at = now()
     where id = ? and status = 'RUNNING' and not exists (
       select from operation_items i where i.operation_id = o.id and i.outcome is null
     )`,
    [id],
  );
  return rowCount > 0;
}

/**
 * A page of RUNNING operations without recent progress, except those whose start is still in the outbox, ordered by id,
 * with the position of the next page.
 */
export async function listQuietOperations(
  db: Db,
  options: { readonly quietSeconds: number; readonly after: string | null; readonly limit: number },
): Promise<{ readonly ids: readonly string[]; readonly next: string | null }> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select id from operations o
     where status = 'RUNNING' and progressed_at < now() - make_interval(secs => :quietSeconds)
       and id > :after
       and not exists (select from outbox m where m.resource_id = o.id and m.kind = 'OPERATION')
     order by id limit :limit`,
    { ...options, after: options.after ?? leastId },
  );
  const ids = rows.map(({ id }) => id);
  return { ids, next: ids.length < options.limit ? null : (ids.at(-1) ?? null) };
}

/** Removes at most `limit` items of ended operations, whose totals are kept. 'MORE' means that some may remain. */
export async function removeOldItems(db: Db, limit: number): Promise<'ALL' | 'MORE'> {
  const ended: { id: string } | undefined = await db('operations')
    .whereNot({ status: 'RUNNING' })
    .where({ has_items: true })
    .first('id');
  if (ended === undefined) return 'ALL';
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `delete from operation_items where (operation_id, resource_id) in (
       select operation_id, resource_id from operation_items where operation_id = ? limit ? for update skip locked
     )`,
    [ended.id, limit],
  );
  if (rowCount > 0) return 'MORE';
  // None is left, unless another process is removing the rest: if that fails, they must be found again.
  const updated = await db.raw<{ rowCount: number }>(
    `update operations o set has_items = false
     where id = ? and not exists (select from operation_items i where i.operation_id = o.id)`,
    [ended.id],
  );
  return updated.rowCount > 0 ? 'MORE' : 'ALL';
}

/** Removes operations that ended long ago. */
export async function removeOldOperations(db: Db, limit: number): Promise<void> {
  await db.raw(
    `delete from operations where id in (
       select id from operations where finished_at < now() - make_interval(days => ?) and not has_items limit ?
     )`,
    [operationRetentionDays, limit],
  );
}
