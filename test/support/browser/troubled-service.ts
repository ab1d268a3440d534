import { eventually } from '../eventually.js';
import { startHttpWorker } from '../workers/http-worker.js';
import { startWebService, type WebService } from './web-service.js';

/** The number of resources of each kind. */
export interface Trouble {
  readonly all: number;
  /** For each of the four reasons. */
  readonly failedOfEach: number;
  readonly waiting: number;
  /** Newsletters, which may all be deleted. */
  readonly superfluous: number;
}

/** A service with many failures and a missing worker. */
export interface TroubledService extends WebService {
  /** Returns the number of resources that failed at first and are COMPLETED now. */
  resumed(): Promise<number>;
}

/** The failures: plugin, resource type and error. A plugin's own message names the config that it needs. */
const reasons = [
  { type: 'contract', plugin: 'translate', code: 'PLUGIN_INACTIVE', message: 'The plugin is inactive.' },
  { type: 'invoice', plugin: 'classify', code: 'PLUGIN_INACTIVE', message: 'The plugin is inactive.' },
  { type: 'report', plugin: 'summarise', code: 'UNKNOWN_MODEL', message: 'Set model to small-2.' },
  { type: 'letter', plugin: 'entities', code: 'BUDGET_SPENT', message: 'Set budget to 100.' },
] as const;

const otherTypes = ['memo', 'minutes', 'manual', 'paper', 'web-page', 'note'] as const;

const configs: Readonly<Record<string, { readonly key: string; readonly value: unknown }>> = {
  summarise: { key: 'model', value: 'small-2' },
  entities: { key: 'budget', value: 100 },
};

/**
 * Starts the service. Completed and failed resources are inserted as rows; waiting ones are really registered, and
 * resumed ones really processed.
 */
export async function startTroubledService(trouble: Trouble): Promise<TroubledService> {
  const [service, worker] = await Promise.all([startWebService(), startHttpWorker()]);
  const { client, core } = service;
  worker.handle = ({ message: { plugin } }) => {
    const wanted = configs[plugin.id];
    const config = plugin.config as Readonly<Record<string, unknown>>;
    if (wanted === undefined || config[wanted.key] === wanted.value)
      return { status: 200, body: { status: 'SUCCESS' } };
    const code = reasons.find((reason) => reason.plugin === plugin.id)?.code;
    return {
      status: 200,
      body: { status: 'FAILURE', error: { code, message: 'as before', retryable: false } },
    };
  };
  const bounds = { max_attempts: 1, backoff_seconds: 0, timeout_seconds: 60 };
  for (const { type, plugin: id } of reasons) {
    const wanted = configs[id];
    await client.expect(201, 'POST', '/plugins', {
      ...{ id, name: id, kind: 'http', endpoint: worker.endpoint },
      ...(wanted !== undefined && {
        config_schema: {
          type: 'object',
          properties: { [wanted.key]: { type: typeof wanted.value, title: wanted.key } },
        },
      }),
    });
    const steps = [{ plugin_id: id, ...bounds }];
    await client.expect(201, 'POST', '/pipelines', { name: `For ${type}`, trigger_type: type, steps });
    if (wanted === undefined) await client.expect(200, 'PUT', `/plugins/${id}/toggle`);
  }
  await client.expect(201, 'POST', '/plugins', {
    ...{
      id: 'ocr',
      name: 'Text recognition',
      kind: 'activity',
      task_queue: 'ocr-workers',
      activity_type: 'ocr',
    },
  });
  await client.expect(201, 'POST', '/pipelines', {
    ...{ name: 'Scans', trigger_type: 'scan', steps: [{ plugin_id: 'ocr', ...bounds }] },
  });
  for (const type of [...otherTypes, 'newsletter'])
    await client.expect(201, 'POST', '/pipelines', {
      ...{ name: `For ${type}`, trigger_type: type, steps: [{ plugin_id: 'extract-text' }] },
    });

  const { db } = core.deps;
  const failed = reasons.length * trouble.failedOfEach;
  const completed = trouble.all - failed - trouble.waiting - trouble.superfluous;
  await db.raw(rowsOf, [[...otherTypes], otherTypes.length, completed]);
  await db.raw(rowsOf, [['newsletter'], 1, trouble.superfluous]);
  for (const { type, plugin, code, message } of reasons) {
    const error = JSON.stringify({ code, message, step: 0 });
    const stepError = JSON.stringify({ code, message, details: {} });
    await db.raw(failuresOf, [
      ...[type, trouble.failedOfEach, error, code, plugin, error, plugin, worker.endpoint, stepError],
    ]);
  }
  for (let at = 1; at <= trouble.waiting; at++) await client.upload('scan', { text: `Scan ${at}` });
  // Set their start back, so that they appear to have waited for minutes.
  const held = db('steps').where({ plugin_id: 'ocr' }).whereRaw("waits_for(waiting_for) = 'worker'");
  await eventually(
    async () =>
      (await held.clone().update({ waiting_since: db.raw("now() - interval '40 minutes'") })) ===
      trouble.waiting,
  );
  await db.raw('analyze');
  return {
    ...service,
    async resumed() {
      const types = reasons.map(({ type }) => type);
      const [row] = (await db('resources')
        .whereIn('type', types)
        .where({ status: 'COMPLETED', run: 2 })
        .count('* as count')) as { count: number }[];
      return row?.count ?? 0;
    },
    async stop() {
      await service.stop();
      await worker.stop();
    },
  };
}

/** Inserts resources that completed one step, with alternating types. */
const rowsOf = `
  with made as (
    insert into resources (id, name, type, source_type, object_key, size_bytes, media_type, status, run, metadata,
        created_at, updated_at, started_at, finished_at)
    select gen_random_uuid(), initcap(t.type) || ' ' || lpad(n::text, 5, '0'), t.type, 'UPLOAD', 'sources/' || n, 1000 + n,
      'text/plain', 'COMPLETED', 1, jsonb_build_object('team', 'team-' || n % 7), at, at, at, at
    from (select n, (cast(? as text[]))[1 + n % ?] as type, now() - n * interval '1 minute' as at
          from generate_series(1, ?) as n) as t
    returning id, created_at as at
  ), run as (
    insert into runs (resource_id, run, status, workflow_id, source_ready, started_at, finished_at)
    select id, 1, 'COMPLETED', 'resource-' || id || '-run-1', true, at, at from made
  )
  insert into steps (resource_id, run, index, plugin_id, kind, max_attempts, backoff_seconds, timeout_seconds, status,
      attempt, started_at, finished_at)
  select id, 1, 0, 'extract-text', 'activity', 3, 1, 60, 'COMPLETED', 1, at, at from made`;

/** Inserts resources whose only step failed. */
const failuresOf = `
  with made as (
    insert into resources (id, name, type, source_type, object_key, size_bytes, media_type, status, run, error,
        error_code, failed_plugin, created_at, updated_at, started_at, finished_at)
    select gen_random_uuid(), initcap(type) || ' ' || n, type, 'UPLOAD', 'sources/' || n, 1000 + n, 'text/plain',
      'FAILED', 1, error, code, plugin, at, at, at, at
    from (select n, cast(? as text) as type, now() - n * interval '2 minutes' as at from generate_series(1, ?) as n) as t,
      (select cast(? as text) as error, cast(? as text) as code, cast(? as text) as plugin) as e
    returning id, created_at as at
  ), run as (
    insert into runs (resource_id, run, status, workflow_id, source_ready, started_at, finished_at, error)
    select id, 1, 'FAILED', 'resource-' || id || '-run-1', true, at, at, ? from made
  )
  insert into steps (resource_id, run, index, plugin_id, kind, endpoint, max_attempts, backoff_seconds, timeout_seconds,
      status, attempt, started_at, finished_at, error)
  select id, 1, 0, ?, 'http', ?, 1, 0, 60, 'FAILED', 1, at, at, ? from made`;
