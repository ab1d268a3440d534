import type { Db } from '../database/connection.js';

/** FAILED resources with the same error code, plugin and type. */
export interface FailureGroup {
  readonly error_code: string;
  /** Null if it failed before or outside its steps. */
  readonly plugin_id: string | null;
  readonly type: string;
  readonly count: number;
  readonly first_at: Date;
  readonly last_at: Date;
  /** The error message of the newest failure. */
  readonly message: string | null;
  readonly resource_id: string;
}

/**
 * The resources that are FAILED now, grouped by cause, the largest group first. Groups are counted from an
 * index; one row of each is read.
 */
export async function listFailures(
  db: Db,
  options: { readonly since?: string; readonly type?: readonly string[]; readonly limit: number },
): Promise<FailureGroup[]> {
  const { since, type, limit } = options;
  const groups = db('resources as r')
    .select('r.error_code', 'r.failed_plugin', 'r.type')
    .count('* as count')
    .min('r.finished_at as first_at')
    .max('r.finished_at as last_at')
    .where('r.status', 'FAILED')
    .groupBy('r.error_code', 'r.failed_plugin', 'r.type')
    .orderByRaw('count(*) desc, r.error_code, r.failed_plugin, r.type')
    .limit(limit);
  if (since !== undefined) void groups.where('r.finished_at', '>=', since);
  if (type !== undefined) void groups.whereIn('r.type', type);
  const rows: (Omit<FailureGroup, 'message'> & { error: string | null })[] = await db
    .select(
      db.raw('g.error_code, g.failed_plugin as plugin_id, g.type, g.count, g.first_at, g.last_at'),
      db.raw('e.error, e.id as resource_id'),
    )
    .from(groups.as('g'))
    .joinRaw(
      // An index does not support `is not distinct from`, so there are two queries; at most one finds a row.
      `cross join lateral (
         (select r.id, r.error from resources r
          where r.status = 'FAILED' and r.error_code = g.error_code and r.type = g.type
            and r.failed_plugin = g.failed_plugin
          order by r.finished_at desc, r.id limit 1)
         union all
         (select r.id, r.error from resources r
          where r.status = 'FAILED' and r.error_code = g.error_code and r.type = g.type
            and g.failed_plugin is null and r.failed_plugin is null
          order by r.failed_plugin, r.finished_at desc, r.id limit 1)
       ) as e`,
    )
    .orderByRaw('g.count desc, g.error_code, g.failed_plugin, g.type');
  return rows.map(({ error, ...group }) => ({
    ...group,
    message: error === null ? null : (JSON.parse(error) as { message: string | null }).message,
  }));
}
