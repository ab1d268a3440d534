import assert from 'node:assert/strict';
import pg from 'pg';
import { uuidv7 } from '../../core/ids.js';
import {
  findArtifacts,
  keepArtifacts,
  listArtifacts,
  listInputs,
  removeStaleArtifacts,
} from '../../storage/artifacts.js';
import { listCleanUps, noteArtifactsRemoved, noteResourceDeleted } from '../../storage/clean-ups.js';
import { listAudit, removeOldAudit } from '../../storage/audit.js';
import { connectDatabase, type Db } from '../../storage/database/connection.js';
import { readDeliveries } from '../../storage/pipelines/deliveries.js';
import { readEvents, removeForeignEvents, removeOldEvents } from '../../storage/events.js';
import { listFailures } from '../../storage/resources/failures.js';
import { createFileObjectStore } from '../../storage/object-store/file.js';
import { ownerKey } from '../../storage/object-store/owner.js';
import { carryOutItem, listOpenItems, readItemAction } from '../../storage/operations/items.js';
import {
  acceptOperation,
  cancelOperation,
  findOperation,
  listOperations,
} from '../../storage/operations/operations.js';
import {
  completeOperation,
  listQuietOperations,
  noteProgress,
  removeOldItems,
  removeOldOperations,
} from '../../storage/operations/progress.js';
import { previewOperation } from '../../storage/operations/targets.js';
import { sweepOrphans } from '../../storage/sweeps/orphans.js';
import { leaseDiscarded } from '../../storage/sweeps/discarded-objects.js';
import { leaseMessages, postponeMessage, removeMessage, withdrawStart } from '../../storage/outbox.js';
import { findPipeline, listPipelines } from '../../storage/pipelines/pipelines.js';
import { deletePlugin, findPlugin, listPlugins } from '../../storage/pipelines/plugins.js';
import {
  countResources,
  findResource,
  findWholeResources,
  lockResource,
  toggleResource,
  updateResource,
} from '../../storage/resources/resources.js';
import { countMatching, listResources } from '../../storage/resources/resource-lists.js';
import { findReferredJson } from '../../storage/search/changes.js';
import { noteStarted } from '../../storage/transitions/status-writes.js';
import { readRunState } from '../../storage/runs/run-state.js';
import {
  countUnfinishedSteps,
  findAttempt,
  findRun,
  findStep,
  leaseSignals,
  listRuns,
  listSteps,
  noteAttempt,
  signalSent,
  writeProgress,
} from '../../storage/runs/runs.js';
import { countByBucket, readPluginStatistics } from '../../storage/statistics.js';
import { listLongWaits } from '../../storage/system.js';
import { listSilentAttempts } from '../../storage/transitions/lost-workers.js';
import { leaseQuietRuns, listOverdueCancels, stillProcessing } from '../../storage/transitions/reconcile.js';
import { discardUnusedUploads } from '../../storage/uploads.js';
import { leaseStepsToLookAt } from '../../storage/runs/waits.js';
import { eventually } from '../support/eventually.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { temporaryFolder } from '../support/temporary.js';

const rows = 20_000;
const page = { limit: 51, sort: '-created_at', after: null } as const;
const ofOthers = { limit: 51, before: null };
const dayAgo = new Date(Date.now() - 24 * 3600 * 1000);

/** Grow with what people register; a look at all of one of them takes the longer the longer the service is used. */
const growing = [
  'resources',
  'metadata_values',
  'runs',
  'steps',
  'attempts',
  'artifacts',
  'events',
  'outbox',
  'audit',
  'operation_items',
  'discarded_objects',
  'search_sources',
];

/** A step of a resource in the middle of the table. */
const id = resourceId(rows / 2);
const step = { resource_id: id, run: 1, index: 1 };
const attempt = { resourceId: id, run: 1, stepIndex: 1, attempt: 1 };

/** Everything that is looked for, by the functions that do. */
const questions: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'resources, newest first': (db) => listResources(db, {}, page),
  'resources with their steps and artifacts': (db) =>
    listResources(db, {}, { ...page, include: ['steps', 'artifacts'] }),
  'resources, from a cursor': (db) =>
    listResources(db, {}, { ...page, after: { value: new Date(Date.now() - 1e9).toISOString(), id } }),
  'resources by a part of many names': (db) => listResources(db, { q: 'report' }, page),
  'resources by a part of one name': (db) => listResources(db, { q: `number ${rows / 2} of` }, page),
  'resources by a part of a name with accents': (db) => listResources(db, { q: 'Übersicht' }, page),
  'resources by a part of no name': (db) => listResources(db, { q: 'nowhere' }, page),
  'resources by type': (db) => listResources(db, { type: ['type-3'] }, page),
  'resources of a type that none has': (db) => listResources(db, { type: ['none'] }, page),
  'resources by status': (db) => listResources(db, { status: ['FAILED'] }, page),
  'resources that are disabled': (db) => listResources(db, { is_enabled: [false] }, page),
  'resources by source': (db) => listResources(db, { source_type: ['URL'] }, page),
  'resources in some statuses': (db) => listResources(db, { status: ['FAILED', 'CANCELLED'] }, page),
  'resources by type and status': (db) =>
    listResources(db, { type: ['type-3'], status: ['PROCESSING'] }, page),
  'resources by status and time': (db) =>
    listResources(db, { status: ['FAILED'], created_before: dayAgo.toISOString() }, page),
  'resources that changed lately': (db) => listResources(db, { updated_after: dayAgo.toISOString() }, page),
  'resources of a connector': (db) => listResources(db, { connector_id: [id] }, page),
  'resources with these bytes': (db) => listResources(db, { sha256: ['0'.repeat(64)] }, page),
  'resources by error code': (db) => listResources(db, { error_code: ['STEP_FAILED'] }, page),
  'resources by the plugin that failed': (db) => listResources(db, { failed_plugin: ['plugin-1'] }, page),
  'resources that wait': (db) => listResources(db, { waiting: true }, page),
  'resources by metadata of many': (db) =>
    listResources(db, { metadata: [{ key: 'team', anyOf: ['team-3'] }] }, page),
  'resources by metadata of one': (db) =>
    listResources(db, { metadata: [{ key: 'case', anyOf: ['case-7', 7] }] }, page),
  'resources by metadata of none': (db) =>
    listResources(db, { metadata: [{ key: 'none', anyOf: ['x'] }] }, page),
  'resources by a range of many': (db) =>
    listResources(db, { metadata: [{ key: 'year', gte: { number: 2001, text: '2001' } }] }, page),
  'resources by a range of none': (db) =>
    listResources(db, { metadata: [{ key: 'year', gte: { number: 3000 } }] }, page),
  'resources by metadata and type': (db) =>
    listResources(db, { type: ['type-3'], metadata: [{ key: 'team', anyOf: ['team-3'] }] }, page),
  'resources by name': (db) => listResources(db, {}, { ...page, sort: 'name' }),
  'resources by size': (db) => listResources(db, {}, { ...page, sort: '-size_bytes' }),
  'resources that changed last': (db) => listResources(db, {}, { ...page, sort: '-updated_at' }),
  'resources from a cursor, by size': (db) =>
    listResources(db, {}, { ...page, sort: 'size_bytes', after: { value: 5_000, id } }),
  'how many have a status': (db) => countMatching(db, { status: ['FAILED'] }, 10_000),
  'steps whose wait Temporal may know better': (db) => leaseStepsToLookAt(db, 10),
  'resources by everything': (db) =>
    listResources(
      db,
      { q: 'report', type: ['type-3'], status: ['COMPLETED'], is_enabled: [true], source_type: ['URL'] },
      page,
    ),
  'one resource': (db) => findResource(db, id),
  'whole resources': (db) => findWholeResources(db, [id, resourceId(2)]),
  'one resource, locked': (db) => lockResource(db, id),
  'a resource to edit': (db) => updateResource(db, id, { name: 'Another' }),
  'a resource to toggle': (db) => toggleResource(db, id),
  'resources in each status': (db) => countResources(db),
  'one run': (db) => findRun(db, id, 1),
  'the runs of a resource': (db) => listRuns(db, id, ofOthers),
  'a run that was started': (db) =>
    noteStarted(db, rows / 2, { name: 'x', type: 'x', steps: [], begins: 0, queue: null }),
  'the steps of a run': (db) => listSteps(db, id, 1),
  'one step': (db) => findStep(db, id, 1, 1),
  'what a run does next': (db) => readRunState(db, id, 1),
  'one attempt': (db) => findAttempt(db, attempt),
  'a step to raise the attempt of': (db) => noteAttempt(db, { ...step, attempt_base: 0 }, 2),
  'a step to write the progress of': (db) => writeProgress(db, attempt, { fraction: 0.5, message: null }),
  'steps that are not finished': (db) => countUnfinishedSteps(db),
  'signals that are due': (db) => leaseSignals(db, { limit: 100, leaseSeconds: 10 }),
  'a signal that was sent': (db) => signalSent(db, attempt),
  'attempts whose worker is silent': (db) =>
    listSilentAttempts(db, { limit: 100, listenedSeconds: 60, steadySeconds: 60 }),
  'runs that are quiet': (db) => leaseQuietRuns(db, { limit: 200, quietSeconds: 60 }),
  'runs whose cancel is overdue': (db) => listOverdueCancels(db, { limit: 100, afterSeconds: 60 }),
  'runs that are still processed': (db) =>
    stillProcessing(
      db,
      Array.from({ length: 200 }, (_, index) => ({ resourceId: resourceId(index + 1), run: 1 })),
    ),
  'the artifacts of a resource': (db) => listArtifacts(db, id),
  'artifacts by their ids': (db) => findArtifacts(db, [uuidv7(), uuidv7()]),
  'the pages of a text to index': (db) => findReferredJson(db, { artifact_id: uuidv7(), run: 1 }, 'metadata'),
  'the inputs of a step': (db) => listInputs(db, id, 1, 1),
  'artifacts to keep': (db) => keepArtifacts(db, id, { from: 1, to: 2 }, 1),
  'artifacts that are stale': (db) => removeStaleArtifacts(db, id, 2),
  'unused uploads': (db) => discardUnusedUploads(db, 500),
  'plugins to tell of a deletion': (db) => noteResourceDeleted(db, id, 1),
  'plugins to tell of artifacts that went': (db) =>
    noteArtifactsRemoved(db, id, 1, [{ artifact_id: uuidv7(), type: 'text', plugin_id: 'plugin-1', run: 1 }]),
  'clean-ups of a resource': (db) => listCleanUps(db, id, null),
  'pipelines, newest first': (db) => listPipelines(db, ofOthers),
  'one pipeline': (db) => findPipeline(db, uuidv7()),
  'plugins, newest first': (db) => listPlugins(db, ofOthers),
  'one plugin': (db) => findPlugin(db, 'plugin-1'),
  'a plugin that is to go, and who uses it': (db) => deletePlugin(db, 'unused'),
  'messages to send': (db) => leaseMessages(db, { limit: 100, leaseSeconds: 10 }),
  'a message to send at once': (db) => leaseMessages(db, { limit: 1, leaseSeconds: 10, only: rows / 2 }),
  'a message that was sent': (db) => removeMessage(db, rows / 2),
  'a message that could not be sent': (db) => postponeMessage(db, { id: rows / 2, tries: 1 }, 'away'),
  'a start to withdraw': (db) => withdrawStart(db, id, 1),
  'how many came and ended in a day': (db) => countByBucket(db, dayAgo, 3600),
  'how plugins did in a day': (db) => readPluginStatistics(db, dayAgo),
  'events after a position': (db) => readEvents(db, { txid: BigInt(rows / 50 - 2), id: 0 }, 500),
  'events that are old': (db) => removeOldEvents(db, { ageSeconds: 24 * 3600, limit: 5_000 }),
  'events of another cluster': (db) => removeForeignEvents(db),
  'objects to remove': (db) => leaseDiscarded(db, { limit: 50, leaseSeconds: 30 }),
  'objects that no row points to': (db) => sweepObjects(db),
  'how deliveries to plugins went': (db) => readDeliveries(db, ['plugin-1', 'plugin-2', 'unused']),
  'who changed what, newest first': (db) => listAudit(db, {}, ofOthers),
  'who changed what, from a cursor': (db) =>
    listAudit(db, {}, { limit: 51, before: { created_at: dayAgo, id: '7' } }),
  'what a key changed': (db) => listAudit(db, { key: resourceId(7) }, ofOthers),
  'what a key changed lately': (db) => listAudit(db, { key: resourceId(7), since: dayAgo }, ofOthers),
  'who changed one thing': (db) => listAudit(db, { object: id }, ofOthers),
  'changes of a kind': (db) => listAudit(db, { action: 'deleteKey' }, ofOthers),
  'changes of a kind that never happened': (db) => listAudit(db, { action: 'none' }, ofOthers),
  'audit entries that are old': (db) => removeOldAudit(db, 5_000),
  'failures by cause': (db) => listFailures(db, { limit: 1_000 }),
  'failures of a type since a day': (db) =>
    listFailures(db, { type: ['type-3'], since: dayAgo.toISOString(), limit: 1_000 }),
  'what an operation would do to what failed': (db) => previewOperation(db, resumeFailed),
  'what an operation would do to some ids': (db) =>
    previewOperation(db, { action: 'delete', resources: { ids: [id, resourceId(2)] }, fromStep: null }),
  'resources to be done to what failed': (db) =>
    acceptOperation(db, { ...resumeFailed, ...ofNoFilter, expectedMatched: null }),
  'operations, newest first': (db) => listOperations(db, ofOthers),
  'one operation': (db) => findOperation(db, operationId(1)),
  'what an operation does': (db) => readItemAction(db, operationId(1)),
  'what an operation has left': (db) => listOpenItems(db, operationId(1), { after: id, limit: 40 }),
  'one resource of an operation': (db) => carryOutItem(db, operationId(1), id, disable),
  'progress of an operation': (db) => noteProgress(db, operationId(1)),
  'whether an operation has ended': (db) => completeOperation(db, operationId(1)),
  'an operation to cancel': (db) => cancelOperation(db, operationId(1)),
  'operations without progress': (db) => listQuietOperations(db, { quietSeconds: 60, after: id, limit: 100 }),
  'items of operations that ended': (db) => removeOldItems(db, 100),
  'operations that are old': (db) => removeOldOperations(db, 1_000),
  'what waits for long': (db) => listLongWaits(db, 500),
};

const resumeFailed = {
  action: 'reprocess',
  resources: { filter: { status: ['FAILED'] } },
  fromStep: 'failed',
} as const;
const ofNoFilter = { filter: null, metadata: null };
const disable = { action: 'disable', fromStep: null, metadata: null, origin: {} } as const;

/** What is read from end to end all the same. */
const scans: Readonly<Record<string, readonly string[]>> = {
  // Whether there is any up to a position: the first one is, and the scan ends there.
  'events after a position': ['events'],
  // Any items of an operation will do: the scan ends at the limit.
  'items of operations that ended': ['operation_items'],
};

describe(`with ${rows} resources, no table is read from end to end to find`, () => {
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    database = await createDatabase();
    const filling = connectDatabase(database.url, { poolSize: 1, statementMs: 300_000 });
    await fill(filling);
    await filling.destroy();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  for (const [what, ask] of Object.entries(questions))
    it(what, async () => {
      const statements = await statementsOf(database.db, ask);
      assert.ok(statements.length > 0);
      const scanned = new Set<string>();
      for (const { sql, bindings } of statements) {
        const explained = await client.query<{ 'QUERY PLAN': unknown }>(
          `explain (format json) ${sql}`,
          bindings,
        );
        for (const table of scansIn(explained.rows[0]?.['QUERY PLAN']))
          if (growing.includes(table)) scanned.add(table);
      }
      assert.deepEqual([...scanned], scans[what] ?? [], statements.map(({ sql }) => sql).join(';\n'));
    });

  for (const what of [
    'resources in each status',
    'how many came and ended in a day',
    'how plugins did in a day',
  ])
    it(`${what}: from an index alone`, async () => {
      const [statement] = await statementsOf(database.db, questions[what]!);
      const explained = await client.query(`explain ${statement?.sql}`, statement?.bindings);
      assert.match(JSON.stringify(explained.rows), /Index Only Scan/);
    });

  it('failures by cause, or read more than one row of each', async () => {
    const failed = rows / 20;
    await database.db.raw(
      "update resources set failed_plugin = null where status = 'FAILED' and right(id::text, 3) < '500'",
    );
    await database.db.raw('vacuum analyze resources');
    const ask = questions['failures by cause']!;
    assert.equal((await listFailures(database.db, { limit: 1_000 })).length, 10);
    const [statement] = await statementsOf(database.db, ask);
    const explained = await client.query<{ 'QUERY PLAN': unknown }>(
      `explain (analyze, format json) ${statement?.sql}`,
      statement?.bindings,
    );
    // The groups are counted from all of them.
    const read = readIn('resources', explained.rows[0]?.['QUERY PLAN']) - failed;
    assert.ok(read <= 20, `${read} rows`);
  });

  it('steps whose wait Temporal may know better, or read those that wait for a callback', async () => {
    await database.db.raw(
      `update steps set kind = 'http', waiting_for = '{"kind":"callback"}', wait_checked_at = now() - interval '1 hour'
       where status = 'RUNNING'`,
    );
    await database.db.raw('vacuum analyze steps');
    const [statement] = await statementsOf(database.db, (db) => leaseStepsToLookAt(db, 10));
    const explained = await client.query<{ 'QUERY PLAN': unknown }>(
      `explain (analyze, format json) ${statement?.sql}`,
      statement?.bindings,
    );
    assert.equal(discardedIn(explained.rows[0]?.['QUERY PLAN']), 0);
  });

  it('runs that are quiet, or sorted to find the first of them', async () => {
    // Almost no run waits for its start.
    await database.db('outbox').delete();
    await database.db.raw('vacuum analyze outbox');
    const [statement] = await statementsOf(database.db, (db) =>
      leaseQuietRuns(db, { limit: 20, quietSeconds: 60 }),
    );
    const explained = await client.query(`explain ${statement?.sql}`, statement?.bindings);
    assert.doesNotMatch(JSON.stringify(explained.rows), /Sort/);
  });
});

interface Statement {
  readonly sql: string;
  readonly bindings: unknown[];
}

/** What a function sends to the database, which does not keep what it changes. */
async function statementsOf(db: Db, ask: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = [];
  const note = (statement: Statement): void => void sent.push(statement);
  const trx = await db.transaction();
  db.client.on('query', note);
  try {
    await ask(trx);
  } finally {
    db.client.off('query', note);
    await trx.rollback();
  }
  return sent.filter(({ sql }) => /^\s*(select|update|delete|with|insert)\b/i.test(sql));
}

/** The tables that a plan reads from end to end. */
function scansIn(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const { 'Node Type': type, 'Relation Name': table } = plan as Record<string, unknown>;
  const own = type === 'Seq Scan' ? [String(table)] : [];
  return [...own, ...Object.values(plan).flatMap(scansIn)];
}

/** How many rows of a table a plan read. */
function readIn(table: string, plan: unknown): number {
  if (typeof plan !== 'object' || plan === null) return 0;
  const node = plan as Record<string, unknown>;
  const each = Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0);
  const own = node['Relation Name'] === table ? each * Number(node['Actual Loops']) : 0;
  return Object.values(plan).reduce<number>((sum, part) => sum + readIn(table, part), own);
}

/** How many rows a plan read and did not use. */
function discardedIn(plan: unknown): number {
  if (typeof plan !== 'object' || plan === null) return 0;
  const own = Number((plan as Record<string, unknown>)['Rows Removed by Filter'] ?? 0);
  return Object.values(plan).reduce<number>((sum, part) => sum + discardedIn(part), own);
}

function resourceId(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

function operationId(number: number): string {
  return `00000000-0000-7000-9000-${String(number).padStart(12, '0')}`;
}

async function sweepObjects(db: Db): Promise<void> {
  const store = createFileObjectStore({ directory: temporaryFolder() });
  await store.create();
  const { id } = await db('warehouse').first('id');
  await store.put(ownerKey, Buffer.from(id));
  for (let index = 0; index < 20; index++)
    await store.put(`resources/${resourceId(index + 1)}/artifacts/${uuidv7()}`, Buffer.from('x'));
  await sweepOrphans(db, store, { after: null, limit: 1000, before: new Date(Date.now() + 60_000) });
  store.close();
}

/** Rows as months of use leave them: most are done, one in a hundred is at work, a few are new. */
async function fill(db: Db): Promise<void> {
  const tables = ['resources', 'steps', 'artifacts', 'plugins', 'pipelines', 'operations'];
  for (const table of tables) await db.raw('alter table ?? disable trigger user', [table]);
  const id = `('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid`;
  const at = `now() - make_interval(mins => 10 * (${rows} - i))`;
  const series = `generate_series(1, ${rows}) as i`;
  await db.raw(`
    insert into plugins (id, name, kind, task_queue, activity_type, config_sealed)
      select 'plugin-' || i, 'Plugin', 'activity', 'queue', 'work', '' from generate_series(0, 9) as i
      union all select 'unused', 'Plugin', 'activity', 'queue', 'work', '';
    insert into pipelines (id, name, trigger_type)
      select gen_random_uuid(), 'Pipeline', 'type-' || i from generate_series(0, 9) as i;
    insert into resources
        (id, name, type, source_type, object_key, status, is_enabled, run, created_at, updated_at, finished_at,
         size_bytes, sha256, error_code, failed_plugin, metadata)
      select ${id}, (array['Report', 'Letter', 'Minutes', 'Plan'])[1 + i % 4] || ' number ' || i || ' of ' || md5(i::text),
        'type-' || i % 10, case i % 5 when 0 then 'URL' else 'UPLOAD' end, 'resources/' || ${id} || '/source/x',
        case when i % 100 = 0 then 'PROCESSING' when i % 100 < 6 then 'FAILED' else 'COMPLETED' end,
        i % 50 <> 0, 1, ${at}, ${at}, ${at}, i, encode(sha256(i::text::bytea), 'hex'),
        case when i % 100 between 1 and 5 then 'STEP_FAILED' end, case when i % 100 between 1 and 5 then 'plugin-1' end,
        json_build_object('team', 'team-' || i % 20, 'case', 'case-' || i, 'year', 2000 + i % 25)::jsonb
      from ${series};
    insert into metadata_values (resource_id, entry) select id, metadata_entries(metadata) from resources;
    insert into runs (resource_id, run, status, workflow_id, source_ready, started_at, finished_at, checked_at)
      select id, 1, status, 'resource-' || id || '-run-1', true, created_at,
        case when status <> 'PROCESSING' then created_at end, created_at
      from resources;
    insert into steps (resource_id, run, index, plugin_id, kind, max_attempts, backoff_seconds, timeout_seconds,
        status, attempt, started_at, finished_at)
      select id, 1, index, 'plugin-' || right(id::text, 1), 'activity', 3, 1, 60,
        case when status <> 'PROCESSING' then status when index = 0 then 'COMPLETED' else 'RUNNING' end,
        1, created_at, case when status <> 'PROCESSING' or index = 0 then created_at end
      from resources, generate_series(0, 1) as index;
    insert into attempts (resource_id, run, step_index, number, max, started_at, deadline, outcome, settled_by, settled_at, delivered_to)
      select resource_id, 1, index, 1, 3, started_at, started_at,
        case when status = 'RUNNING' then null when status = 'FAILED' then 'FAILURE' else 'SUCCESS' end, 'REPORT', started_at,
        plugin_id
      from steps;
    update attempts set signal_due_at = now(), silent_at = now() where outcome is null;
    insert into artifacts (id, resource_id, step_index, type, content_type, plugin_id, run, current_run, size_bytes, object_key)
      select gen_random_uuid(), id, index, 'text', 'text', 'plugin-1', 1, 1, 10, 'resources/' || id || '/artifacts/' || index
      from resources, generate_series(0, 1) as index;
    insert into events (txid, type, resource_id, data, at)
      select (right(id::text, 12)::integer / 50)::text::xid8, 'resource.updated', id, '{}', created_at from resources order by id;
    insert into audit (at, key_id, key_name, action, object_type, object_id)
      select created_at, ('00000000-0000-7000-8000-' || lpad((right(id::text, 12)::integer % 100)::text, 12, '0'))::uuid, 'k',
        case when right(id::text, 12)::integer % 1000 = 0 then 'deleteKey' else 'registerResource' end, 'resource', id
      from resources;
    insert into operations (id, action, status, matched, created_at, finished_at, has_items)
      select ('00000000-0000-7000-9000-' || lpad(i::text, 12, '0'))::uuid, 'reprocess',
        case when i = 1 then 'RUNNING' else 'COMPLETED' end, ${rows / 20}, now(), case when i > 1 then now() end, i <= 20
      from generate_series(1, 100) as i;
    insert into operation_items (operation_id, resource_id, outcome)
      select ('00000000-0000-7000-9000-' || lpad((1 + i % 20)::text, 12, '0'))::uuid, ${id},
        case when i % 20 > 0 or i < ${rows / 2} then 'DONE' end
      from ${series};
    insert into operation_counts (operation_id, outcome, count) select id, 'DONE', matched from operations;
    insert into search_sources (resource_id, run, object_key)
      select id, 1, 'resources/' || id || '/artifacts/0' from resources where status = 'COMPLETED';
    insert into discarded_objects (key, due_at) select object_key, now() - interval '1 hour' from search_sources;
    insert into outbox (kind, resource_id, run) select 'START', id, number from resources, generate_series(1, 5) as number;
  `);
  for (const table of tables) await db.raw('alter table ?? enable trigger user', [table]);
  // Whoever looks at a table at that moment keeps its pages from being marked as seen by all.
  await eventually(async () => {
    await db.raw('vacuum analyze');
    const { rows: unseen } = await db.raw<{ rows: unknown[] }>(
      `select from pg_class where relname = any (?) and relkind = 'r' and relallvisible < relpages`,
      [growing],
    );
    return unseen.length === 0;
  });
}
