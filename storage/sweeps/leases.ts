import type { Db } from '../database/connection.js';

/** A token of the current lease holder. It changes with each renewal. */
export type Lease = string;

export interface LeaseOptions {
  readonly seconds: number;
  /** A holder renews its lease more often than this. */
  readonly renewSeconds: number;
  /**
   * The process id of the server process (backend) of a connection that the holder keeps open, if it has one. When a
   * holder is killed, its connection ends at once. Its lease can then be taken as soon as it has missed a renewal.
   */
  readonly backend: number | null;
}

/** Null if the server has no such process: then the lease lasts as long as it says. */
const backend = '(select pid from pg_stat_activity where pid = :backend::integer)';

const token = "to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')";

/**
 * Takes the lease on work that only one process at a time does, or returns null if another process holds it. A lease
 * that would last ten times as long as it can does not count: the database's clock was set back, and a holder that is
 * alive would have renewed it.
 */
export async function takeLease(db: Db, name: string, options: LeaseOptions): Promise<Lease | null> {
  const { rows } = await db.raw<{ rows: { token: string }[] }>(
    `insert into sweeps (name, due_at, backend)
       values (:name, clock_timestamp() + make_interval(secs => :seconds), ${backend})
     on conflict (name) do update set due_at = excluded.due_at, backend = excluded.backend
       where sweeps.due_at <= clock_timestamp()
         or sweeps.due_at > clock_timestamp() + 10 * make_interval(secs => :seconds)
         or sweeps.due_at < clock_timestamp() + make_interval(secs => :seconds::float8 - :renewSeconds::float8)
           and sweeps.backend not in (select pid from pg_stat_activity where pid is not null)
     returning ${token} as token`,
    { name, ...options },
  );
  return rows[0]?.token ?? null;
}

/** Renews a lease. Returns null if it expired and another process took it. */
export async function renewLease(
  db: Db,
  name: string,
  lease: Lease,
  options: LeaseOptions,
): Promise<Lease | null> {
  const { rows } = await db.raw<{ rows: { token: string }[] }>(
    `update sweeps set due_at = clock_timestamp() + make_interval(secs => :seconds), backend = ${backend}
     where name = :name and ${token} = :lease returning ${token} as token`,
    { name, lease, ...options },
  );
  return rows[0]?.token ?? null;
}

/** Releases a lease, so that another process need not wait until it expires. */
export async function releaseLease(db: Db, name: string, lease: Lease): Promise<void> {
  await db.raw(`update sweeps set due_at = clock_timestamp() where name = ? and ${token} = ?`, [name, lease]);
}
