import type { WaitingFor } from '../core/states.js';
import { longWaitSeconds } from '../core/resources/resource-filter.js';
import type { Db } from './database/connection.js';

/** Facts about the database server. */
export interface DatabaseFacts {
  readonly version: string;
  readonly size_bytes: number;
}

export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await db.raw<{ rows: [DatabaseFacts] }>(
    `select current_setting('server_version') as version, pg_database_size(current_database()) as size_bytes`,
  );
  return rows[0];
}

/** A plugin and its task queue. */
export interface RoutedPlugin {
  readonly id: string;
  /** Null for HTTP plugins, which Core calls. */
  readonly task_queue: string | null;
  readonly is_active: boolean;
}

/** All plugins, ordered by id. */
export async function listRouting(db: Db, limit: number): Promise<RoutedPlugin[]> {
  return await db('plugins').select('id', 'task_queue', 'is_active').orderBy('id').limit(limit);
}

/** Steps of one plugin that have waited too long for the same kind of thing. */
export interface LongWaits {
  readonly plugin_id: string;
  readonly kind: WaitingFor['kind'];
  readonly count: number;
  readonly oldest_since: Date;
}

/**
 * Steps that have waited for a worker, a callback or a retry for longer than `longWaitSeconds`, largest group first.
 */
export async function listLongWaits(db: Db, limit: number): Promise<LongWaits[]> {
  const { rows } = await db.raw<{ rows: LongWaits[] }>(
    `select s.plugin_id, coalesce(waits_for(s.waiting_for), 'worker') as kind, count(*), min(s.waiting_since) as oldest_since
     from steps s join resources r on r.id = s.resource_id and r.run = s.run and r.status = 'PROCESSING'
     where s.waiting_since <= now() - make_interval(secs => ?)
     group by 1, 2 order by count(*) desc, 1, 2 limit ?`,
    [longWaitSeconds, limit],
  );
  return rows;
}

/** A plugin's pending clean-ups. */
export interface OpenCleanUps {
  readonly plugin_id: string;
  readonly count: number;
  readonly oldest_at: Date;
  readonly last_error: string | null;
}

/** Pending clean-ups by plugin, oldest first. */
export async function listOpenCleanUpsByPlugin(db: Db, limit: number): Promise<OpenCleanUps[]> {
  const { rows } = await db.raw<{ rows: OpenCleanUps[] }>(
    `select plugin_id, count(*), min(created_at) as oldest_at,
       (array_agg(last_error order by tries desc, id desc) filter (where last_error is not null))[1] as last_error
     from clean_ups group by plugin_id order by min(created_at), plugin_id limit ?`,
    [limit],
  );
  return rows;
}
