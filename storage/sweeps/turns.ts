import type { Db } from '../database/connection.js';

/** A turn of a sweep. `position` is where the last turn stopped, in the sweep's own format; null before the first. */
export interface SweepTurn {
  readonly position: string | null;
}

/** Returns the names of the sweeps that are not due. */
export async function listPausedSweeps(db: Db): Promise<string[]> {
  return await db('sweeps').where('due_at', '>', db.fn.now()).pluck('name');
}

/**
 * Takes a turn of a sweep that one process at a time runs, or returns null if it is not due. If a process dies during
 * its turn, the sweep pauses for `leaseSeconds`. A turn that takes longer than that may overlap with the next one, so
 * sweeps must tolerate concurrent turns.
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

/** Ends a turn: the next one starts at `position`, after a pause. */
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
