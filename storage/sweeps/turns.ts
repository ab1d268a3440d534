import type { Db } from '../database/connection.js';

/** A turn of a sweep. `position` is where the last turn stopped, in the sweep's own format; null before the first. */
export interface SweepTurn {
  readonly position: string | null;
}

/** A sweep that is not due. */
export interface PausedSweep {
  readonly name: string;
  readonly remainingSeconds: number;
}

/** Returns the sweeps that are not due. */
export async function listPausedSweeps(db: Db): Promise<PausedSweep[]> {
  return await db('sweeps')
    .where('due_at', '>', db.fn.now())
    .select('name', db.raw('extract(epoch from due_at - now())::float8 as "remainingSeconds"'));
}

/**
 * Takes a turn of a sweep that one process at a time runs, or returns null if it is not due. If a process dies during
 * its turn, the sweep pauses for `leaseSeconds`. A turn that takes longer than that may overlap with the next one, so
 * sweeps must tolerate concurrent turns.
 *
 * @param longestSeconds A sweep due later than this from now counts as due: the database's clock was set back.
 */
export async function takeSweep(
  db: Db,
  name: string,
  { leaseSeconds, longestSeconds }: { readonly leaseSeconds: number; readonly longestSeconds: number },
): Promise<SweepTurn | null> {
  const result: { rows: SweepTurn[] } = await db.raw(
    `insert into sweeps (name, due_at) values (:name, now() + make_interval(secs => :leaseSeconds))
     on conflict (name) do update set due_at = excluded.due_at
       where sweeps.due_at <= now() or sweeps.due_at > now() + make_interval(secs => :longestSeconds)
     returning position`,
    { name, leaseSeconds, longestSeconds },
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
