import type { Db } from '../database/connection.js';

/**
 * What sweeps put right between PostgreSQL, Temporal and the object store, since the database was made.
 * run_started: a start that nobody had sent; run_ended: a run whose workflow closed unseen; run_restarted: one that
 * Temporal did not know any more; clean_up_restarted and operation_restarted: one whose workflow was gone; report_signalled: a report
 * whose run was not told; worker_lost: an attempt whose worker fell silent; object_removed: a stored object that no row
 * points to; upload_aborted: parts of an upload that nobody finished.
 */
export const repairKinds = [
  'run_started',
  'run_ended',
  'run_restarted',
  'clean_up_restarted',
  'operation_restarted',
  'report_signalled',
  'worker_lost',
  'object_removed',
  'upload_aborted',
] as const;

export type RepairKind = (typeof repairKinds)[number];

/** Adds to the count of a kind of repair. */
export async function countRepairs(db: Db, kind: RepairKind, count: number): Promise<void> {
  if (count === 0) return;
  await db('repairs')
    .insert({ kind, count })
    .onConflict('kind')
    .merge({ count: db.raw('repairs.count + excluded.count') });
}

/** How many repairs of each kind there were; every kind is named. */
export async function readRepairs(db: Db): Promise<Readonly<Record<RepairKind, number>>> {
  const rows: { kind: RepairKind; count: number }[] = await db('repairs').select('kind', 'count');
  const none = Object.fromEntries(repairKinds.map((kind) => [kind, 0])) as Record<RepairKind, number>;
  return { ...none, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) };
}
