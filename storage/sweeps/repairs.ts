import type { Db } from '../database/connection.js';

/**
 * Inconsistencies between PostgreSQL, Temporal and the object store that sweeps have repaired since the database was
 * created. run_started: a start that had not been sent; run_ended: a run whose workflow had closed unnoticed;
 * run_restarted: a run that Temporal did not know any more; clean_up_restarted, operation_restarted: a clean-up or
 * operation whose workflow was missing; report_signalled: a report whose run had not been told; worker_lost: an attempt
 * whose worker stopped sending heartbeats; object_removed: a stored object that no row refers to; upload_aborted: parts
 * of an unfinished upload.
 */
const repairKinds = [
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

/** Increments the count of a kind of repair. */
export async function countRepairs(db: Db, kind: RepairKind, count: number): Promise<void> {
  if (count === 0) return;
  await db('repairs')
    .insert({ kind, count })
    .onConflict('kind')
    .merge({ count: db.raw('repairs.count + excluded.count') });
}

/** The number of repairs of each kind, including kinds with none. */
export async function readRepairs(db: Db): Promise<Readonly<Record<RepairKind, number>>> {
  const rows: { kind: RepairKind; count: number }[] = await db('repairs').select('kind', 'count');
  const none = Object.fromEntries(repairKinds.map((kind) => [kind, 0])) as Record<RepairKind, number>;
  return { ...none, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) };
}
