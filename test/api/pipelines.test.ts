import assert from 'node:assert/strict';
import { uuidv7 } from '../../core/ids.js';
import { deletePipeline } from '../../storage/pipelines/pipelines.js';
import { lockWaits } from '../support/servers/postgres.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

describe('pipelines', () => {
  let api: TestApi;

  const create = async (body: object): Promise<Answer> =>
    await api.call('POST', '/pipelines', {
      name: 'P',
      trigger_type: `t-${uuidv7()}`,
      steps: [{ plugin_id: 'one' }],
      ...body,
    });

  before(async () => {
    api = await startApi();
    for (const id of ['one', 'two']) {
      await api.call('POST', '/plugins', {
        id,
        name: id,
        kind: 'activity',
        task_queue: 'q',
        activity_type: id,
      });
    }
  });
  after(() => api.stop());

  it('are created with their steps in order and defaults for omitted values', async () => {
    const steps = [
      { plugin_id: 'two', max_attempts: 7, backoff_seconds: 0.5, timeout_seconds: 0.001 },
      { plugin_id: 'one' },
      { plugin_id: 'two' },
    ];
    const { status, body, headers } = await create({ name: ' Docs ', trigger_type: ' doc ', steps });
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `/api/v1/pipelines/${body.id}`);
    assert.deepEqual([body.name, body.trigger_type], ['Docs', 'doc']);
    const defaults = { max_attempts: 3, backoff_seconds: 5, timeout_seconds: 300 };
    assert.deepEqual(body.steps, [
      steps[0],
      { plugin_id: 'one', ...defaults },
      { plugin_id: 'two', ...defaults },
    ]);
    assert.deepEqual((await api.call('GET', `/pipelines/${body.id}`)).body, body);
    assert.deepEqual((await api.call('GET', '/pipelines')).body, { items: [body], next_cursor: null });
    const again = await create({ trigger_type: 'doc' });
    assert.deepEqual(
      [again.status, again.body.error.code, again.body.error.details],
      [409, 'TRIGGER_TYPE_TAKEN', { trigger_type: 'doc' }],
    );
  });

  it('enforce the limits of their steps', async () => {
    const bounds: [string, unknown[], unknown[]][] = [
      ['max_attempts', [1, 100, 3.0], [0, 101, 1.5, '3', null]],
      ['backoff_seconds', [0, 0.25, 86_400], [-0.001, 86_401, '5', null]],
      ['timeout_seconds', [0.001, 604_800], [0, -1, 604_800.5, true, null]],
    ];
    for (const [field, good, bad] of bounds) {
      for (const value of good) {
        assert.equal(
          (await create({ steps: [{ plugin_id: 'one', [field]: value }] })).status,
          201,
          `${field} ${String(value)}`,
        );
      }
      for (const value of bad) {
        const { status, body } = await create({ steps: [{ plugin_id: 'one', [field]: value }] });
        assert.equal(status, 400, `${field} ${String(value)}`);
        assert.equal(body.error.details.errors[0].path, `/steps/0/${field}`);
      }
    }
    for (const [steps, status] of [
      [[], 400],
      [Array(50).fill({ plugin_id: 'one' }), 201],
      [Array(51).fill({ plugin_id: 'one' }), 400],
      [[{}], 400],
      [['one'], 400],
      ['one', 400],
      [[{ plugin_id: 'one', retries: 1 }], 400],
      [[{ plugin_id: 'a\u0000b' }], 400],
    ] as const) {
      assert.equal((await create({ steps })).status, status, JSON.stringify(steps).slice(0, 80));
    }
    for (const name of ['', ' ', 'a\u0007b', 'x'.repeat(501), 5, null])
      assert.equal((await create({ name })).status, 400);
    for (const trigger_type of ['', 'x'.repeat(101), null])
      assert.equal((await create({ trigger_type })).status, 400);
  });

  it('are rejected with the names of unknown plugins', async () => {
    const steps = [{ plugin_id: 'one' }, { plugin_id: 'nobody' }, { plugin_id: 'Not A Slug!' }];
    const { id } = (await create({})).body;
    for (const answer of [await create({ steps }), await api.call('PUT', `/pipelines/${id}`, { steps })]) {
      assert.deepEqual([answer.status, answer.body.error.code], [400, 'UNKNOWN_PLUGIN']);
      const paths = answer.body.error.details.errors.map((each: { path: string }) => each.path);
      assert.deepEqual(paths, ['/steps/1/plugin_id', '/steps/2/plugin_id']);
    }
    assert.equal((await api.call('GET', `/pipelines/${id}`)).body.steps.length, 1);
  });

  it('accept new steps as an object or as an array, and keep the rest', async () => {
    const made = (await create({ name: 'Old' })).body;
    const put = async (body: unknown): Promise<Answer> =>
      await api.call('PUT', `/pipelines/${made.id}`, body);
    const first = (await put([{ plugin_id: 'two' }, { plugin_id: 'one' }])).body;
    assert.deepEqual(
      first.steps.map((step: { plugin_id: string }) => step.plugin_id),
      ['two', 'one'],
    );
    assert.deepEqual(
      [first.name, first.trigger_type, first.created_at],
      ['Old', made.trigger_type, made.created_at],
    );
    assert.equal((await put({ name: ' New ', steps: [{ plugin_id: 'one' }] })).body.name, 'New');
    const last = { steps: [{ plugin_id: 'two', timeout_seconds: 9 }] };
    const changed = await put(last);
    assert.equal(changed.body.name, 'New');
    const again = await put(last);
    assert.deepEqual([again.status, again.body], [200, changed.body]);
    assert.equal(again.headers.get('etag'), changed.headers.get('etag'));
    for (const body of [
      {},
      { name: 'x' },
      [],
      { steps: [] },
      { steps: [{ plugin_id: 'one' }], trigger_type: 'x' },
      [{}],
      null,
    ]) {
      const { status, body: answer } = await put(body);
      assert.deepEqual([status, answer.error.code], [400, 'VALIDATION_FAILED'], JSON.stringify(body));
    }
    assert.equal((await api.call('PUT', `/pipelines/${uuidv7()}`, [{ plugin_id: 'one' }])).status, 404);
    assert.equal((await api.call('DELETE', `/pipelines/${made.id}`)).status, 204);
    assert.equal((await api.call('GET', `/pipelines/${made.id}`)).status, 404);
    assert.equal((await api.call('DELETE', `/pipelines/${made.id}`)).status, 404);
  });

  it('are read with the steps of the same moment', async () => {
    const { body: pipeline } = await create({});
    const { db } = api.deps;
    const trx = await db.transaction();
    await trx.raw('lock table pipeline_steps');
    const one = api.call('GET', `/pipelines/${pipeline.id}`);
    const all = api.call('GET', '/pipelines');
    await lockWaits(db, 2);
    await deletePipeline(trx, pipeline.id);
    await trx.commit();
    assert.equal((await one).status, 404);
    assert.deepEqual(
      (await all).body.items.filter(({ id }: { id: string }) => id === pipeline.id),
      [],
    );
  });

  it('are listed page by page', async () => {
    const all = (await api.call('GET', '/pipelines?limit=200')).body.items.map(
      (item: { id: string }) => item.id,
    );
    const first = (await api.call('GET', '/pipelines?limit=2')).body;
    const rest = (await api.call('GET', `/pipelines?limit=200&cursor=${first.next_cursor}`)).body;
    assert.deepEqual(
      [...first.items, ...rest.items].map((item: { id: string }) => item.id),
      all,
    );
    assert.equal(rest.next_cursor, null);
  });
});
