import type { Db } from '../database/connection.js';

/** A turn at a sweep: where the last one stopped, in words of the sweep's own; null before the first. */
export interface SweepTurn {
  readonly position: string | null;
}

/**
 * Takes a turn at a sweep that one process at a time does, or null when it is not due. A process that dies with its
 * turn holds the sweep up for `leaseSeconds`; a turn that takes longer may be doubled, so a sweep must bear that.
 */
export async function takeSweep(db: Db, name: string, leaseSeconds: number): Promise<SweepTurn | null> {
  const result: { rows: SweepTurn[] } = await db.raw(
    `insert into sweeps (name, due_at) values (:name, now() + make_interval(secs => :lease))
     on conflict (name) do update set due_at = excluded.due_at where sweeps.due_at <= now()
     returning position`,
    { name, lease: leaseSeconds },
  );
  return result.rows[0] ?? null;
}

/** Ends a turn: the next one begins at `position`, after a pause. */
export async function endSweep(
  db: Db,
  name: string,
  next: { readonly position: string | null; readonly pauseSeconds: number },
): Promise<void> {
  await db('sweeps')
    .where({ name })
    .update({
      position: next.position,
      due_at: db.raw('now() + make_interval(secs => ?)', [next.pauseSeconds]),
    });
}
