import type { Knex } from 'knex';
import { ServiceError } from '../../core/errors.js';
import { RawJson, renderJson } from '../../core/json/raw-json.js';
import { seal, unseal } from '../../core/secrets/sealing.js';
import type { PluginKind } from '../../core/states.js';
import { brokenConstraint, type Db } from '../database/connection.js';
import { toJsonText } from '../database/json-text.js';
import { newestFirst, type TimePage } from '../database/newest-first.js';

export interface Plugin {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly kind: PluginKind;
  readonly task_queue: string | null;
  readonly activity_type: string | null;
  readonly endpoint: string | null;
  /** An object or a boolean. */
  readonly config_schema: RawJson | null;
  readonly produces: readonly string[];
  /** Null if its author did not declare it. */
  readonly reads: readonly string[] | null;
  readonly heartbeat_seconds: number | null;
  readonly cleanup_activity_type: string | null;
  readonly is_active: boolean;
  readonly built_in: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly last_seen_at: Date | null;
}

/** A plugin with its whole config. */
export interface WholePlugin {
  readonly plugin: Plugin;
  readonly config: RawJson;
}

export type JsonObject = Record<string, unknown>;

const registrationColumns = [
  'id',
  'name',
  'description',
  'version',
  'kind',
  'task_queue',
  'activity_type',
  'endpoint',
  'config_schema',
  'produces',
  'reads',
  'heartbeat_seconds',
  'cleanup_activity_type',
] as const satisfies readonly (keyof Plugin)[];

/** The contents of a registration. */
export type PluginRegistration = Pick<Plugin, (typeof registrationColumns)[number]>;

const stateColumns = ['is_active', 'built_in', 'created_at', 'updated_at', 'last_seen_at'] as const;
const columns = [...registrationColumns, ...stateColumns] as const;

type PluginRow = Omit<Plugin, 'config_schema'> & { readonly config_schema: string | null };

const fromRow = (row: PluginRow): Plugin => ({
  ...row,
  config_schema: row.config_schema === null ? null : new RawJson(row.config_schema),
});

/** The plugin of the first row; null if there is none. */
const firstOf = ([row]: readonly PluginRow[]): Plugin | null => (row === undefined ? null : fromRow(row));

const toRow = (registration: PluginRegistration): Record<string, unknown> => ({
  ...registration,
  config_schema: toJsonText(registration.config_schema),
});

/** A plugin as an entry of a list. */
export interface ListedPlugin extends Plugin {
  /** False if the schemas of earlier plugins fill the page; its own schema is then omitted. */
  readonly fits: boolean;
}

/** A list reads no more schemas after this many bytes: 200 of the largest would block the event loop. */
const listedSchemaBytes = 4 * 1024 * 1024;

/** Plugins older than the cursor's, newest first. */
export async function listPlugins(db: Db, page: TimePage): Promise<ListedPlugin[]> {
  const bytesBefore = `coalesce(sum(octet_length(config_schema)) over (
    order by created_at desc, id desc rows between unbounded preceding and 1 preceding), 0)`;
  const rows: (PluginRow & { readonly fits: boolean })[] = await db('plugins')
    .select(
      ...columns.filter((column) => column !== 'config_schema'),
      db.raw(`${bytesBefore} <= ? as fits`, [listedSchemaBytes]),
      db.raw(`case when ${bytesBefore} <= ? then config_schema end as config_schema`, [listedSchemaBytes]),
    )
    .modify(newestFirst(page));
  return rows.map((row) => ({ ...fromRow(row), fits: row.fits }));
}

/** The plugins whose own workers poll a task queue, with their queues. */
export async function listTaskQueues(
  db: Db,
): Promise<{ readonly id: string; readonly task_queue: string }[]> {
  return await db('plugins')
    .select('id', 'task_queue')
    .where({ kind: 'activity', is_active: true, built_in: false })
    .whereNotNull('task_queue')
    .orderBy('id');
}

/** One plugin, or null. */
export async function findPlugin(db: Db, id: string): Promise<Plugin | null> {
  return firstOf(await db('plugins').where({ id }).select(columns));
}

/**
 * One plugin with its config, or null. One statement reads both: what may be shown of a config depends on the schema of
 * the same moment.
 */
export async function findWholePlugin(
  db: Db,
  secrets: readonly string[],
  id: string,
): Promise<WholePlugin | null> {
  const row: (PluginRow & { readonly config_sealed: string }) | undefined = await db('plugins')
    .select(...columns, 'config_sealed')
    .where({ id })
    .first();
  if (row === undefined) return null;
  const { config_sealed, ...plugin } = row;
  return { plugin: fromRow(plugin), config: new RawJson(unseal(secrets, config_sealed)) };
}

/** One plugin, locked until the transaction ends, or null. */
export async function lockPlugin(trx: Db, id: string): Promise<Plugin | null> {
  return firstOf(await trx('plugins').where({ id }).select(columns).forNoKeyUpdate());
}

/** A plugin's current config, or null if there is no such plugin. */
export async function readConfig(db: Db, secrets: readonly string[], id: string): Promise<JsonObject | null> {
  return ((await readRawConfig(db, secrets, id))?.parse() ?? null) as JsonObject | null;
}

/** The same, as stored JSON text, which need not be parsed. */
export async function readRawConfig(db: Db, secrets: readonly string[], id: string): Promise<RawJson | null> {
  const row: { config_sealed: string } | undefined = await db('plugins').where({ id }).first('config_sealed');
  return row ? new RawJson(unseal(secrets, row.config_sealed)) : null;
}

/**
 * The secrets that sign messages to an HTTP plugin, newest first: the current one and, for a day after the last change,
 * the previous ones.
 */
export async function readSigningSecrets(db: Db, secrets: readonly string[], id: string): Promise<string[]> {
  const row: { secret_sealed: string | null; previous: string | null } | undefined = await db('plugins')
    .select(
      'secret_sealed',
      db.raw('case when previous_secret_expires_at > now() then previous_secret_sealed end as previous'),
    )
    .where({ id })
    .first();
  return [row?.secret_sealed, row?.previous]
    .filter((sealed) => typeof sealed === 'string')
    .flatMap((sealed) => unseal(secrets, sealed).split(' '));
}

/** Adds a plugin. Returns null if the id is taken. */
export async function insertPlugin(
  db: Db,
  secrets: readonly string[],
  registration: PluginRegistration,
  options: {
    readonly config: JsonObject | RawJson;
    readonly signingSecret: string | null;
    readonly builtIn: boolean;
  },
): Promise<Plugin | null> {
  const rows: PluginRow[] = await db('plugins')
    .insert({
      ...toRow(registration),
      config_sealed: seal(secrets, renderJson(options.config)),
      secret_sealed: options.signingSecret === null ? null : seal(secrets, options.signingSecret),
      built_in: options.builtIn,
      last_seen_at: options.builtIn || registration.kind === 'activity' ? db.fn.now() : null,
    })
    .onConflict('id')
    .ignore()
    .returning([...columns]);
  return firstOf(rows);
}

/**
 * Overwrites a plugin's registration; its config, state and secret are kept. A worker repeats its registration at each
 * start: if nothing differs, `updated_at` stays and no event is recorded. Returns null if there is no such plugin, or
 * if its routing would change but must not: with `keepRouting`, or for a built-in plugin unless `builtIn` is true.
 */
export async function updateRegistration(
  db: Db,
  registration: PluginRegistration,
  options: { readonly seen: boolean; readonly builtIn?: boolean; readonly keepRouting?: boolean },
): Promise<Plugin | null> {
  const { id, ...row } = toRow(registration) as { id: string } & Record<string, unknown>;
  const declared = { ...row, ...(options.builtIn === undefined ? {} : { built_in: options.builtIn }) };
  const { kind, task_queue, activity_type, endpoint, cleanup_activity_type } = registration;
  const routing = { kind, task_queue, activity_type, endpoint, cleanup_activity_type };
  const rows: PluginRow[] = await db('plugins')
    .where({ id })
    .where((may) => {
      void may.where(routing);
      if (options.builtIn === true) void may.orWhereRaw('true');
      else if (options.keepRouting !== true) void may.orWhere({ built_in: false });
    })
    .update({
      ...declared,
      ...(options.seen ? { last_seen_at: db.fn.now() } : {}),
      updated_at: nowIfOther(db, declared),
    })
    .returning([...columns]);
  return firstOf(rows);
}

/** An expression for `updated_at`: now if a column differs from its new value. */
function nowIfOther(db: Db, values: Readonly<Record<string, unknown>>): Knex.Raw {
  const names = Object.keys(values);
  const list = (mark: string): string => names.map(() => mark).join();
  return db.raw(`case when (${list('??')}) is distinct from (${list('?')}) then now() else updated_at end`, [
    ...names,
    ...Object.values(values),
  ] as Knex.RawBinding[]);
}

/** Replaces the config. Returns the plugin, or null when there is none. */
export async function replaceConfig(
  db: Db,
  secrets: readonly string[],
  id: string,
  config: RawJson,
): Promise<Plugin | null> {
  return await change(db, id, { config_sealed: seal(secrets, config.text) });
}

/** Flips `is_active`. Returns the plugin, or null when there is none. */
export async function togglePlugin(db: Db, id: string): Promise<Plugin | null> {
  return await change(db, id, { is_active: db.raw('not is_active') });
}

/** Sets the signing secret of a plugin that has none; returns whether it did. */
export async function addSigningSecret(
  db: Db,
  secrets: readonly string[],
  id: string,
  signingSecret: string,
): Promise<boolean> {
  const values = { secret_sealed: seal(secrets, signingSecret) };
  return (await db('plugins').where({ id }).whereNull('secret_sealed').update(values)) > 0;
}

/** How many previous signing secrets are kept, so that repeated changes do not invalidate the one that workers use. */
const mostPrevious = 5;

/** Replaces the signing secret; for 24 hours messages also carry the signatures of the previous ones. */
export async function replaceSigningSecret(
  trx: Db,
  secrets: readonly string[],
  id: string,
  signingSecret: string,
): Promise<Plugin | null> {
  await lockPlugin(trx, id);
  const previous = (await readSigningSecrets(trx, secrets, id)).slice(0, mostPrevious);
  return await change(trx, id, {
    secret_sealed: seal(secrets, signingSecret),
    previous_secret_sealed: previous.length === 0 ? null : seal(secrets, previous.join(' ')),
    previous_secret_expires_at: trx.raw("now() + interval '24 hours'"),
  });
}

async function change(db: Db, id: string, values: Record<string, unknown>): Promise<Plugin | null> {
  const rows: PluginRow[] = await db('plugins')
    .where({ id })
    .update({ ...values, updated_at: db.fn.now() })
    .returning([...columns]);
  return firstOf(rows);
}

/** Records that a plugin's worker called Core, at most once every ten seconds. */
export async function markSeen(db: Db, id: string): Promise<void> {
  await db('plugins')
    .where({ id })
    .whereRaw("(last_seen_at is null or last_seen_at < now() - interval '10 seconds')")
    .update({ last_seen_at: db.fn.now() });
}

/**
 * Deletes a plugin. Returns whether there was one.
 * Throws PLUGIN_IN_USE while a pipeline's step or an unfinished step of a PROCESSING run uses it.
 */
export async function deletePlugin(db: Db, id: string): Promise<boolean> {
  try {
    return await db.transaction(async (trx) => {
      const row: unknown = await trx('plugins').select('id').where({ id }).forUpdate().first();
      if (row === undefined) return false;
      await refuseWhileInUse(trx, id);
      await trx('plugins').where({ id }).delete();
      return true;
    });
  } catch (error) {
    if (brokenConstraint(error) !== 'pipeline_steps_plugin_id_fkey') throw error;
    await refuseWhileInUse(db, id);
    throw error;
  }
}

async function refuseWhileInUse(db: Db, id: string): Promise<void> {
  const pipelines: { id: string; name: string }[] = await db('pipelines')
    .select('id', 'name')
    .whereIn('id', db('pipeline_steps').select('pipeline_id').where('plugin_id', id))
    .limit(100);
  const resources: { id: string; name: string }[] = await db('resources as r')
    .distinct('r.id', 'r.name')
    .join('steps as s', (join) => join.on('s.resource_id', 'r.id').andOn('s.run', 'r.run'))
    .where({ 's.plugin_id': id, 'r.status': 'PROCESSING' })
    .whereIn('s.status', ['PENDING', 'RUNNING', 'RETRYING'])
    .limit(100);
  if (pipelines.length === 0 && resources.length === 0) return;
  const message = `The plugin ${id} is used by a pipeline or by a resource being processed.`;
  throw new ServiceError('PLUGIN_IN_USE', message, { pipelines, resources });
}
