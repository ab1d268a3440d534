import { operationRetentionDays } from '../../core/operations.js';
import type { Db } from '../database/connection.js';

/** Notes that some of an operation was carried out. */
export async function noteProgress(db: Db, id: string): Promise<void> {
  await db('operations').where({ id, status: 'RUNNING' }).update({ progressed_at: db.fn.now() });
}

/** Ends an operation with nothing left: RUNNING → COMPLETED. Returns whether nothing is left. */
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

/** RUNNING operations without recent progress whose start is not in the outbox. */
export async function listQuietOperations(
  db: Db,
  { quietSeconds, limit }: { readonly quietSeconds: number; readonly limit: number },
): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select id from operations o
     where status = 'RUNNING' and progressed_at < now() - make_interval(secs => ?)
       and not exists (select from outbox m where m.resource_id = o.id and m.kind = 'OPERATION')
     order by progressed_at limit ?`,
    [quietSeconds, limit],
  );
  return rows.map(({ id }) => id);
}

/** Removes at most `limit` items of operations that ended: their counts say what became of them. 'MORE': more are left. */
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
  if (rowCount === 0) await db('operations').where({ id: ended.id }).update({ has_items: false });
  return 'MORE';
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
