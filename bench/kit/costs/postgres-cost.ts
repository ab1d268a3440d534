import pg from 'pg';
import type { EmbeddedPostgres } from '../../../runtime/embedded/postgres/server.js';

const pauseMs = 50;
const kinds = ['Lock', 'LWLock', 'IO'] as const;

/** The activity of a PostgreSQL server's sessions during a measurement. */
export interface SessionCost {
  readonly commits: number;
  /** The average number of sessions waiting at once, by reason: a row or table, a part of shared memory, the disk. */
  readonly waiting: Readonly<Record<(typeof kinds)[number], number>>;
}

/** Samples a server's sessions while some work runs. */
export async function sessionsDuring(
  { superuserUrl }: EmbeddedPostgres,
  work: Promise<unknown>,
): Promise<SessionCost> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const state = { over: false };
    const end = work.finally(() => (state.over = true));
    end.catch(() => undefined);
    const before = await commits(client);
    const seen = { Lock: 0, LWLock: 0, IO: 0 };
    let looks = 0;
    while (!state.over) {
      const { rows } = await client.query<{ kind: (typeof kinds)[number]; waiting: string }>(
        `select wait_event_type as kind, count(*) as waiting from pg_stat_activity
         where state = 'active' and wait_event_type = any($1) and backend_type = 'client backend' group by 1`,
        [kinds],
      );
      for (const { kind, waiting } of rows) seen[kind] += Number(waiting);
      looks++;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    await end;
    const waiting = { Lock: seen.Lock / looks, LWLock: seen.LWLock / looks, IO: seen.IO / looks };
    // Each sample was a transaction itself.
    return { commits: (await commits(client)) - before - looks, waiting };
  } finally {
    await client.end();
  }
}

async function commits(client: pg.Client): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ sum: string }>('select sum(xact_commit) from pg_stat_database');
  return Number(rows[0]?.sum);
}
