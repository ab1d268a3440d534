import { leastId, uuidv7 } from '../core/ids.js';
import type { CleanUpRef, RunRef } from '../core/runs/refs.js';
import type { PluginKind } from '../core/states.js';
import type { CleanUpReason } from '@knowledge-warehouse/plugin/protocol';
import type { Db } from './database/connection.js';
import { fromJsonText } from './database/json-text.js';
import { enqueue } from './outbox.js';

export interface RemovedArtifact {
  readonly artifact_id: string;
  readonly type: string;
}

/** A removed artifact, with the plugin and the run that produced it. */
interface RemovedByPlugin extends RemovedArtifact {
  readonly plugin_id: string;
  readonly run: number;
}

/** A pending clean-up of a plugin's external data, with the plugin's current routing. */
export interface CleanUp {
  readonly id: string;
  readonly resource_id: string;
  /** The run whose end made the clean-up due. */
  readonly run: number;
  readonly plugin_id: string;
  readonly reason: CleanUpReason;
  /** External data of this run and earlier ones must be removed; a later run may have written new data. */
  readonly up_to_run: number;
  readonly artifacts: readonly RemovedArtifact[];
  /** Null if the plugin was deleted. */
  readonly kind: PluginKind | null;
  readonly endpoint: string | null;
  readonly task_queue: string | null;
  readonly cleanup_activity_type: string | null;
}

/**
 * Whether a plugin is notified of removals: every HTTP plugin, and activity plugins that registered a clean-up
 * activity.
 */
const isNotified = "(p.kind = 'http' or p.cleanup_activity_type is not null)";

/** Records that every plugin that ever ran a step of the resource must remove its external data. */
export async function noteResourceDeleted(trx: Db, resourceId: string, run: number): Promise<void> {
  const plugins: { plugin_id: string }[] = await trx('steps as s')
    .join('plugins as p', 'p.id', 's.plugin_id')
    .distinct('s.plugin_id')
    .where('s.resource_id', resourceId)
    .whereNotNull('s.started_at')
    .whereRaw(isNotified);
  if (plugins.length === 0) return;
  const artifacts: RemovedByPlugin[] = await trx('artifacts')
    .select('id as artifact_id', 'type', 'plugin_id', 'run')
    .where({ resource_id: resourceId })
    .orderBy(['step_index', 'type']);
  await insert(
    trx,
    { resourceId, run, reason: 'RESOURCE_DELETED' },
    plugins.map(({ plugin_id }) => ({
      plugin_id,
      up_to_run: run,
      artifacts: artifacts.filter((artifact) => artifact.plugin_id === plugin_id),
    })),
  );
}

/**
 * Records for every plugin concerned that artifacts it produced for a resource were removed. Returns whether any plugin
 * is notified.
 */
export async function noteArtifactsRemoved(
  trx: Db,
  resourceId: string,
  run: number,
  removed: readonly RemovedByPlugin[],
): Promise<boolean> {
  if (removed.length === 0) return false;
  const notified: string[] = await trx('plugins as p')
    .whereIn('p.id', [...new Set(removed.map(({ plugin_id }) => plugin_id))])
    .whereRaw(isNotified)
    .pluck('p.id');
  const byPlugin = notified.map((plugin_id) => {
    const artifacts = removed.filter((artifact) => artifact.plugin_id === plugin_id);
    return { plugin_id, up_to_run: Math.max(...artifacts.map((artifact) => artifact.run)), artifacts };
  });
  await insert(trx, { resourceId, run, reason: 'ARTIFACTS_REMOVED' }, byPlugin);
  return notified.length > 0;
}

/**
 * Records that a plugin's attempt ended after its resource was deleted or a later run began, so that data it wrote
 * meanwhile is removed. Returns false if neither is the case, or if data of the attempt's run or an earlier one is in
 * use: then the plugin removes the rest when a later run replaces that data.
 */
export async function noteLateWork(db: Db, about: RunRef, pluginId: string): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const { resourceId, run } = about;
    const resource: { run: number } | undefined = await trx('resources')
      .select('run')
      .where({ id: resourceId })
      .first();
    const isDeleted = resource === undefined;
    if (!isDeleted && (resource.run <= run || (await hasArtifacts(trx, about, pluginId)))) return false;
    const reason = isDeleted ? 'RESOURCE_DELETED' : 'ARTIFACTS_REMOVED';
    const late = { plugin_id: pluginId, up_to_run: run, artifacts: [] };
    await insert(trx, { resourceId, run, reason }, [late]);
    await enqueue(trx, 'CLEAN_UP', resourceId, isDeleted ? null : run);
    return true;
  });
}

/** Whether a resource has artifacts that a plugin made in this run or an earlier one. */
async function hasArtifacts(trx: Db, { resourceId, run }: RunRef, pluginId: string): Promise<boolean> {
  const row: unknown = await trx('artifacts')
    .select('id')
    .where({ resource_id: resourceId, plugin_id: pluginId })
    .where('run', '<=', run)
    .first();
  return row !== undefined;
}

async function insert(
  trx: Db,
  about: RunRef & { readonly reason: CleanUpReason },
  byPlugin: readonly Pick<CleanUp, 'plugin_id' | 'up_to_run' | 'artifacts'>[],
): Promise<void> {
  if (byPlugin.length === 0) return;
  await trx('clean_ups').insert(
    byPlugin.map(({ plugin_id, up_to_run, artifacts }) => ({
      id: uuidv7(),
      resource_id: about.resourceId,
      run: about.run,
      plugin_id,
      reason: about.reason,
      up_to_run,
      artifacts: JSON.stringify(artifacts.map(({ artifact_id, type }) => ({ artifact_id, type }))),
    })),
  );
}

/** A query of clean-ups, with the routing of their plugins. */
const selectCleanUps = (db: Db): ReturnType<Db['queryBuilder']> =>
  db('clean_ups as c')
    .leftJoin('plugins as p', 'p.id', 'c.plugin_id')
    .select('c.id', 'c.resource_id', 'c.run', 'c.plugin_id', 'c.reason', 'c.up_to_run', 'c.artifacts')
    .select('p.kind', 'p.endpoint', 'p.task_queue', 'p.cleanup_activity_type');

type CleanUpRow = Omit<CleanUp, 'artifacts'> & { readonly artifacts: string };

const fromRow = (row: CleanUpRow): CleanUp => ({ ...row, artifacts: fromJsonText(row.artifacts) ?? [] });

/** Pending clean-ups of a deleted resource, or of one of its ended runs. */
export async function listCleanUps(db: Db, resourceId: string, run: number | null): Promise<CleanUp[]> {
  const due = run === null ? { 'c.reason': 'RESOURCE_DELETED' } : { 'c.run': run };
  const query = selectCleanUps(db).where({ 'c.resource_id': resourceId, ...due });
  return ((await query.orderBy('c.id')) as CleanUpRow[]).map(fromRow);
}

/** A plugin's pending clean-ups of a resource. */
export async function listCleanUpsOf(db: Db, resourceId: string, pluginId: string): Promise<CleanUp[]> {
  const query = selectCleanUps(db).where({ 'c.resource_id': resourceId, 'c.plugin_id': pluginId });
  return ((await query) as CleanUpRow[]).map(fromRow);
}

/** A pending clean-up, or null if it is done. */
export async function findCleanUp(db: Db, id: string): Promise<CleanUp | null> {
  const row = (await selectCleanUps(db).where('c.id', id).first()) as CleanUpRow | undefined;
  return row ? fromRow(row) : null;
}

/** Records that a clean-up is done or will never be done. */
export async function cleanUpDone(db: Db, id: string): Promise<void> {
  await db('clean_ups').where({ id }).delete();
}

/** Records why a clean-up attempt failed. */
export async function cleanUpFailed(db: Db, id: string, error: string): Promise<void> {
  await db('clean_ups')
    .where({ id })
    .update({ tries: db.raw('tries + 1'), last_error: error.slice(0, 2_000).replaceAll('\0', '') });
}

/** A plugin's pending clean-ups: how many, since when, and the last error. */
export interface PendingCleanUps {
  readonly count: number;
  readonly oldest_at: Date | null;
  readonly last_error: string | null;
}

/** Summarises a plugin's pending clean-ups. */
export async function pendingCleanUps(db: Db, pluginId: string): Promise<PendingCleanUps> {
  const rows: { count: number; oldest_at: Date | null; last_error: string | null }[] = await db('clean_ups')
    .where({ plugin_id: pluginId })
    .select(
      db.raw('count(*) as count'),
      db.raw('min(created_at) as oldest_at'),
      db.raw('(array_agg(last_error order by tries desc, id desc))[1] as last_error'),
    );
  return rows[0] ?? { count: 0, oldest_at: null, last_error: null };
}

/**
 * Clean-ups recorded more than a minute ago that are still pending, oldest first, with the position of the next page,
 * or null if there is none. Skips those whose start is still in the outbox.
 */
export async function listOpenCleanUps(
  db: Db,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<{ readonly refs: readonly CleanUpRef[]; readonly next: string | null }> {
  const { rows } = await db.raw<{ rows: (CleanUpRef & { readonly id: string; readonly waits: boolean })[] }>(
    `select id, resource_id as "resourceId", case when reason = 'ARTIFACTS_REMOVED' then run end as run,
       exists (select from outbox o where o.resource_id = c.resource_id and o.kind = 'CLEAN_UP') as waits
     from clean_ups c where created_at < now() - interval '1 minute' and id > ? order by id limit ?`,
    [after ?? leastId, limit],
  );
  const refs = new Map(
    rows
      .filter(({ waits }) => !waits)
      .map(({ resourceId, run }) => [`${resourceId} ${run}`, { resourceId, run }] as const),
  );
  return { refs: [...refs.values()], next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

/** The number of pending clean-ups of each plugin. */
export async function countCleanUps(db: Db): Promise<{ plugin_id: string; count: number }[]> {
  return await db('clean_ups').select('plugin_id').count({ count: '*' }).groupBy('plugin_id');
}
