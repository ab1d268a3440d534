import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { cleanUpWorkflowId } from '../../core/runs/run-protocol.js';
import { verifyMessage } from '@knowledge-warehouse/plugin/signing';
import type { CleanUpActivityMessage } from '@knowledge-warehouse/plugin/protocol';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { noteLateWork } from '../../storage/clean-ups.js';
import { startAuthorsWorker } from '../support/workers/authors-worker.js';
import { connectTemporal, type TemporalClient } from '../../runtime/temporal/connection.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { eventually } from '../support/eventually.js';
import { assertRepairs } from '../support/service/repairs.js';

const note = (type: string) => ({ type, content_type: 'text', content: type });
const bounds = { max_attempts: 1, backoff_seconds: 0, timeout_seconds: 20 };

/** What the built-in plugin of these tests keeps elsewhere: the runs that wrote it, by resource. */
const kept = new Map<string, number>();
/** Each holds an attempt of the plugin up, deaf to its signal, which then writes once more. */
const lingers: Promise<void>[] = [];
let writes = 0;
const cleaned: { readonly reason: string; readonly run: number }[] = [];
const keeper = definePlugin({
  id: 'keeper',
  name: 'Keeper',
  version: '1.0.0',
  configSchema: { type: 'object', properties: { where: { type: 'string', default: 'a map' } } },
  produces: ['kept'],
  async run(ctx) {
    kept.set(ctx.resource.id, ctx.run);
    const held = lingers.shift();
    if (held !== undefined) {
      await held;
      kept.set(ctx.resource.id, ctx.run);
      writes += 1;
    }
    await ctx.emit({ type: 'kept', content_type: 'json', content: { where: ctx.config.where } });
  },
  cleanup(ctx) {
    assert.equal(ctx.config.where, 'a map');
    cleaned.push({ reason: ctx.reason, run: ctx.run });
    kept.delete(ctx.resource.id);
    return Promise.resolve();
  },
});

describe('data that plugins store elsewhere', () => {
  let core: TestCore;
  let worker: HttpWorker;
  let secret: string;
  let temporal: TemporalClient;
  const cleanUpOf = (resourceId: string): WorkflowHandle =>
    temporal.client.workflow.getHandle(cleanUpWorkflowId({ resourceId }));
  const count = async (plugin: string): Promise<any> =>
    (await core.call('GET', `/plugins/${plugin}`)).body.pending_clean_ups;

  before(async () => {
    [core, worker] = await Promise.all([startCore({ plugins: [keeper] }), startHttpWorker()]);
    temporal = await connectTemporal(core.deps.config.temporal);
    for (const id of ['outside', 'second']) {
      const plugin = { id, name: id, kind: 'http', endpoint: worker.endpoint, config: { depth: 2 } };
      const { status, body } = await core.call('POST', '/plugins', plugin);
      assert.equal(status, 201);
      if (id === 'outside') secret = body.signing_secret;
    }
    await core.pipeline('outside', { plugin_id: 'outside', ...bounds });
    await core.pipeline('keeper', { plugin_id: 'keeper', ...bounds });
  });
  beforeEach(() => {
    worker.told.length = 0;
    worker.answer = () => ({ status: 204 });
    worker.handle = ({ message }) => ({
      status: 200,
      body: { status: 'SUCCESS', artifacts: [note(`of-${message.plugin.id}`)] },
    });
  });
  after(async () => {
    await temporal.close();
    await core.stop();
    await worker.stop();
  });

  it('is removed by an HTTP plugin after a delete, however many calls that takes, and visible until then', async () => {
    const { id } = await core.upload('outside');
    const { artifacts } = await core.settled(id);
    worker.answer = () => ({ status: worker.told.length < 3 ? 503 : 204 });
    assert.equal((await core.call('PUT', '/plugins/outside/toggle')).body.is_active, false);
    assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
    await eventually(async () => {
      const { count: left, last_error } = await count('outside');
      return left === 1 && last_error === 'The plugin outside answered 503.';
    });
    const metrics = await fetch(`${core.base}/metrics`, {
      headers: { authorization: `Bearer ${core.adminKey}` },
    });
    assert.match(await metrics.text(), /kw_pending_clean_ups\{plugin="outside"\} 1/);
    await eventually(async () => (await count('outside')).count === 0);
    assert.equal(worker.told.length, 3);
    const [told] = worker.cleanUps(id);
    assert.ok(told && verifyMessage(secret, told.headers, told.raw));
    assert.deepEqual(told.message, {
      protocol: 'kw.cleanup/1',
      reason: 'RESOURCE_DELETED',
      resource: { id },
      run: 1,
      artifacts: [{ artifact_id: artifacts[0].id, type: 'of-outside' }],
      plugin: { id: 'outside', config: { depth: 2 } },
    });
    await core.call('PUT', '/plugins/outside/toggle');
  });

  it('is removed when artifacts are removed at the end of a run, only by the plugin that produced them', async () => {
    await core.pipeline('shrinking', { plugin_id: 'outside', ...bounds }, { plugin_id: 'second', ...bounds });
    const { id } = await core.upload('shrinking');
    const { artifacts } = await core.settled(id);
    const gone = artifacts.find((each: { type: string }) => each.type === 'of-second').id;
    const { body: pipelines } = await core.call('GET', '/pipelines');
    const pipeline = pipelines.items.find((each: { name: string }) => each.name === 'shrinking');
    await core.call('PUT', `/pipelines/${pipeline.id}`, [{ plugin_id: 'outside', ...bounds }]);
    await core.call('POST', `/resources/${id}/reprocess`);
    assert.equal((await core.settled(id)).artifacts.length, 1);
    await eventually(() => worker.cleanUps(id).length > 0);
    await eventually(async () => (await count('second')).count === 0);
    assert.deepEqual(
      worker
        .cleanUps(id)
        .map(({ message }) => [message.reason, message.plugin.id, message.run, message.artifacts]),
      [['ARTIFACTS_REMOVED', 'second', 1, [{ artifact_id: gone, type: 'of-second' }]]],
    );
  });

  it('is no longer cleaned up after a 410, or after its plugin is deleted', async () => {
    const resources = await Promise.all([core.upload('outside'), core.upload('outside')]);
    for (const { id } of resources) await core.settled(id);
    worker.answer = () => ({ status: 410, body: 'x'.repeat(1024 * 1024) });
    await core.call('DELETE', `/resources/${resources[0].id}`);
    await eventually(() => worker.cleanUps(resources[0].id).length === 1);
    await eventually(async () => (await count('outside')).count === 0);

    const leaving = { id: 'leaving', name: 'Leaving', kind: 'http', endpoint: worker.endpoint };
    await core.call('POST', '/plugins', leaving);
    await core.pipeline('leaving', { plugin_id: 'leaving', ...bounds });
    const { id } = await core.upload('leaving');
    await core.settled(id);
    worker.answer = () => ({ status: 500 });
    await core.call('DELETE', `/resources/${id}`);
    await eventually(() => worker.cleanUps(id).length > 0);
    const { body: pipelines } = await core.call('GET', '/pipelines');
    const pipeline = pipelines.items.find((each: { name: string }) => each.name === 'leaving');
    await core.call('DELETE', `/pipelines/${pipeline.id}`);
    assert.equal((await core.call('DELETE', '/plugins/leaving')).status, 204);
    const before = worker.cleanUps(id).length;
    await eventually(
      async () => (await core.deps.db('clean_ups').where({ plugin_id: 'leaving' })).length === 0,
    );
    assert.ok(worker.cleanUps(id).length <= before + 1);
  });

  it('is removed by an activity plugin that registered for it, on its own queue', async () => {
    const seen: CleanUpActivityMessage[] = [];
    let tries = 0;
    const stopWorker = await startAuthorsWorker(core, 'cleaning', {
      work: () => Promise.resolve({ artifacts: [note('remote')] }),
      clean(message: CleanUpActivityMessage) {
        tries += 1;
        if (tries < 2) throw new Error('The store is away.');
        seen.push(message);
      },
    });
    const plugin = {
      id: 'remote',
      name: 'Remote',
      kind: 'activity',
      task_queue: 'cleaning',
      activity_type: 'work',
      cleanup_activity_type: 'clean',
      config: { key: 'a secret' },
      config_schema: { type: 'object', properties: { key: { type: 'string', writeOnly: true } } },
    };
    assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
    await core.pipeline('remote', { plugin_id: 'remote', ...bounds });
    try {
      const { id } = await core.upload('remote');
      const { artifacts } = await core.settled(id);
      await core.call('DELETE', `/resources/${id}`);
      await eventually(async () => (await count('remote')).count === 0 && seen.length > 0);
      assert.deepEqual(seen, [
        {
          protocol: 'kw.cleanup/1',
          core_url: core.base,
          plugin_id: 'remote',
          reason: 'RESOURCE_DELETED',
          resource: { id },
          run: 1,
          artifacts: [{ artifact_id: artifacts[0].id, type: 'remote' }],
        },
      ]);
    } finally {
      await stopWorker();
    }
    const { body } = await core.call('GET', '/internal/plugins/remote/config');
    assert.deepEqual(body, { config: { key: 'a secret' } });
  });

  it('waits for a worker, and says that none polls the queue', async () => {
    const plugin = {
      id: 'idle',
      name: 'Idle',
      kind: 'activity',
      task_queue: 'unpolled',
      activity_type: 'work',
    };
    await core.call('POST', '/plugins', { ...plugin, cleanup_activity_type: 'clean' });
    const late = { resourceId: randomUUID(), run: 1 };
    assert.equal(await noteLateWork(core.deps.db, late, 'idle'), true);
    // Without an answer of Temporal in time, only the error of the last attempt is known.
    const shows = (error: string): Promise<true> =>
      eventually(async () => {
        const { body: system } = await core.call('GET', '/system');
        const shown = system.clean_ups.find((each: { plugin_id: string }) => each.plugin_id === 'idle');
        for (const each of [await count('idle'), shown])
          assert.deepEqual([each.count, each.last_error], [1, error]);
        return true;
      });
    await shows('No worker polls the task queue unpolled.');
    await core.deps.db('clean_ups').where({ plugin_id: 'idle' }).update({ last_error: 'The store is away.' });
    await shows('No worker polls the task queue unpolled. The last attempt failed: The store is away.');
  });

  it('is removed once more after each attempt that continued after its resource was deleted', async () => {
    await core.pipeline('lingering', {
      plugin_id: 'keeper',
      ...bounds,
      max_attempts: 2,
      timeout_seconds: 1,
    });
    const ends: (() => void)[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1)
      lingers.push(new Promise((resolve) => ends.push(resolve)));
    const { id } = await core.upload('lingering');
    await eventually(() => lingers.length === 0);
    await core.call('POST', `/resources/${id}/cancel`);
    assert.notEqual((await core.settled(id)).status, 'COMPLETED');
    await core.call('DELETE', `/resources/${id}`);
    await eventually(() => !kept.has(id));
    for (const end of ends) {
      const before = writes;
      end();
      await eventually(() => writes > before && !kept.has(id));
      await eventually(async () => (await count('keeper')).count === 0);
    }
  });

  it('stays while it is in use, and is removed after an attempt that continued during a later run', async () => {
    const { db } = core.deps;
    const { id } = await core.upload('keeper');
    await core.settled(id);
    const ends: (() => void)[] = [];
    const linger = (): number => lingers.push(new Promise((resolve) => ends.push(resolve)));
    const reprocess = (): Promise<unknown> => core.call('POST', `/resources/${id}/reprocess`, {});
    linger();
    await reprocess();
    await eventually(() => lingers.length === 0);
    await core.call('POST', `/resources/${id}/cancel`);
    await core.settled(id);
    assert.equal(await noteLateWork(db, { resourceId: id, run: 2 }, 'keeper'), false, 'no run is later');
    linger();
    await reprocess();
    await eventually(() => lingers.length === 0);
    assert.equal(await noteLateWork(db, { resourceId: id, run: 2 }, 'keeper'), false, 'run 1 is in use');
    cleaned.length = 0;
    ends[1]?.();
    await core.settled(id);
    assert.deepEqual(cleaned, []);
    ends[0]?.();
    await eventually(() => cleaned.length > 0);
    assert.deepEqual(cleaned, [{ reason: 'ARTIFACTS_REMOVED', run: 2 }]);
    await eventually(async () => (await count('keeper')).count === 0);
  });

  it('is removed after a late attempt although the clean-up still waits for the object store', async () => {
    let end = (): void => undefined;
    lingers.push(new Promise((resolve) => (end = resolve)));
    const { id } = await core.upload('keeper');
    await eventually(() => lingers.length === 0);
    await core.call('POST', `/resources/${id}/cancel`);
    await core.settled(id);
    // A folder that points to itself can be neither listed nor emptied.
    const folder = join(core.deps.config.objectDirectory, 'data', 'resources', id);
    await rename(folder, `${folder}-aside`);
    await symlink(folder, folder);
    await core.call('DELETE', `/resources/${id}`);
    await eventually(() => !kept.has(id));
    const cleanUp = cleanUpOf(id);
    await eventually(async () => {
      const { raw } = await cleanUp.describe();
      const left = raw.pendingActivities ?? [];
      return left.length === 1 && left[0]?.activityType?.name === 'deleteResourceObjects';
    });
    const before = writes;
    end();
    await eventually(() => writes > before && !kept.has(id));
    assert.equal((await cleanUp.describe()).status.name, 'RUNNING');
    await unlink(folder);
    await rename(`${folder}-aside`, folder);
    await cleanUp.result();
    assert.equal(existsSync(folder), false);
  });

  it('is removed although the workflow for it is terminated', async () => {
    const { id } = await core.upload('outside');
    await core.settled(id);
    worker.answer = () => ({ status: 503 });
    await core.call('DELETE', `/resources/${id}`);
    await eventually(() => worker.cleanUps(id).length > 0);
    await cleanUpOf(id).terminate('by hand');
    const before = worker.cleanUps(id).length;
    worker.answer = () => ({ status: 204 });
    assert.equal((await count('outside')).count, 1);
    // It is looked for what was noted a minute ago.
    const { db } = core.deps;
    await db('clean_ups').update({ created_at: db.raw("now() - interval '1 minute'") });
    await db('sweeps').where({ name: 'open clean-ups' }).update({ due_at: db.fn.now() });
    await eventually(async () => (await count('outside')).count === 0);
    assert.equal(worker.cleanUps(id).length, before + 1);
    await assertRepairs(db, 'clean_up_restarted', 1);
  });

  it('takes the stored objects with it although the workflow is terminated', async () => {
    const { id } = await core.upload('keeper');
    await core.settled(id);
    const folder = join(core.deps.config.objectDirectory, 'data', 'resources', id);
    await rename(folder, `${folder}-aside`);
    await symlink(folder, folder);
    await core.call('DELETE', `/resources/${id}`);
    const cleanUp = cleanUpOf(id);
    await eventually(async () => !kept.has(id) && (await count('keeper')).count === 0);
    await cleanUp.terminate('by hand');
    await unlink(folder);
    await rename(`${folder}-aside`, folder);
    const { db } = core.deps;
    await db('discarded_objects').update({ due_at: db.fn.now() });
    await eventually(() => !existsSync(folder));
    await eventually(async () => (await db('discarded_objects')).length === 0);
  });

  it('is removed by a built-in plugin too', async () => {
    const { id } = await core.upload('keeper');
    await core.settled(id);
    assert.equal(kept.get(id), 1);
    cleaned.length = 0;
    await core.call('DELETE', `/resources/${id}`);
    await eventually(() => !kept.has(id));
    assert.deepEqual(cleaned, [{ reason: 'RESOURCE_DELETED', run: 1 }]);
  });
});
