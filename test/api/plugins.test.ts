import assert from 'node:assert/strict';
import { readSigningSecrets } from '../../storage/pipelines/plugins.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';
import { forbiddenHosts } from '../support/network/forbidden-hosts.js';

const http = { name: 'H', kind: 'http', endpoint: 'https://worker.example.com/steps' } as const;
const lastPolledAt = new Date('2026-01-02T03:04:05.678Z');
const activity = { name: 'A', kind: 'activity', task_queue: 'ocr', activity_type: 'recognise' } as const;

describe('plugins', () => {
  let api: TestApi;
  let polled: string[];

  before(async () => {
    api = await startApi({
      env: { KW_PLUGIN_HOSTS: '127.0.0.1' },
      workflows: {
        readPolling: (queue) => {
          polled.push(queue);
          return Promise.resolve(queue === 'ocr' ? { pollers: 2, lastPolledAt } : null);
        },
      },
    });
  });
  after(() => api.stop());
  beforeEach(() => (polled = []));

  const post = async (body: object): Promise<Answer> => await api.call('POST', '/plugins', body);
  const put = async (id: string, body: object, bearer?: string): Promise<Answer> =>
    await api.call('PUT', `/plugins/${id}`, body, bearer === undefined ? {} : { bearer });

  it('are registered; the signing secret of an http plugin is shown once', async () => {
    const made = await post({ id: 'hook', ...http, config: { a: 1 } });
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), '/api/v1/plugins/hook');
    const { signing_secret, config_warnings, created_at, updated_at, ...rest } = made.body;
    assert.match(signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(config_warnings, []);
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      id: 'hook',
      name: 'H',
      description: '',
      version: '',
      kind: 'http',
      task_queue: null,
      activity_type: null,
      endpoint: http.endpoint,
      config: { a: 1 },
      config_schema: null,
      produces: [],
      reads: null,
      heartbeat_seconds: null,
      cleanup_activity_type: null,
      is_active: true,
      built_in: false,
      last_seen_at: null,
    });
    const again = await post({ id: 'hook', ...activity });
    assert.deepEqual([again.status, again.body.error.code], [409, 'PLUGIN_EXISTS']);
    for (const answer of [
      await api.call('GET', '/plugins/hook'),
      await api.call('PUT', '/plugins/hook/toggle'),
      await put('hook', http),
    ]) {
      assert.equal(answer.status, 200);
      assert.ok(!answer.text.includes('whsec_'));
    }
    const signing = await readSigningSecrets(api.deps.db, api.deps.config.secrets, 'hook');
    for (const body of [activity, http]) {
      const { status, text } = await put('hook', body);
      assert.deepEqual([status, text.includes('whsec_')], [200, false]);
    }
    assert.deepEqual(await readSigningSecrets(api.deps.db, api.deps.config.secrets, 'hook'), signing);
    assert.equal((await post({ id: 'became-http', ...activity })).body.signing_secret, undefined);
    const became = await put('became-http', http);
    assert.deepEqual(
      [became.status, [became.body.signing_secret]],
      [200, await readSigningSecrets(api.deps.db, api.deps.config.secrets, 'became-http')],
    );
    const { db, config } = api.deps;
    const signers = (): Promise<string[]> => readSigningSecrets(db, config.secrets, 'hook');
    const renew = async (): Promise<string> =>
      (await api.call('POST', '/plugins/hook/signing-secret')).body.signing_secret;
    const given = [signing_secret];
    for (let times = 0; times < 5; times++) {
      given.unshift(await renew());
      assert.deepEqual(await signers(), given);
    }
    given.unshift(await renew());
    assert.deepEqual(await signers(), given.slice(0, 6));
    const past = db.raw("now() - interval '1 second'");
    await db('plugins').where({ id: 'hook' }).update({ previous_secret_expires_at: past });
    assert.deepEqual(await signers(), given.slice(0, 1));
    const renewed = await Promise.all([renew(), renew()]);
    assert.deepEqual((await signers()).sort(), [given[0], ...renewed].sort());
  });

  it('enforce the rules of their fields', async () => {
    const bad: [object, string][] = [
      [{ ...http }, '/id'],
      [{ id: 'Upper', ...http }, '/id'],
      [{ id: '-x', ...http }, '/id'],
      [{ id: 'x'.repeat(64), ...http }, '/id'],
      [{ id: 'x', kind: 'http', endpoint: http.endpoint }, '/name'],
      [{ id: 'x', ...http, name: '\u0000' }, '/name'],
      [{ id: 'x', name: 'X' }, '/kind'],
      [{ id: 'x', name: 'X', kind: 'lambda' }, '/kind'],
      [{ id: 'x', name: 'X', kind: 'http' }, '/endpoint'],
      [{ id: 'x', ...http, endpoint: null }, '/endpoint'],
      [{ id: 'x', ...http, endpoint: 'no url' }, '/endpoint'],
      [{ id: 'x', ...http, task_queue: 'q' }, '/task_queue'],
      [{ id: 'x', ...http, cleanup_activity_type: 'c' }, '/cleanup_activity_type'],
      [{ id: 'x', name: 'X', kind: 'activity', task_queue: 'q' }, '/activity_type'],
      [{ id: 'x', name: 'X', kind: 'activity', activity_type: 'a' }, '/task_queue'],
      [{ id: 'x', ...activity, task_queue: '' }, '/task_queue'],
      [{ id: 'x', ...activity, task_queue: 'kw-core' }, '/task_queue'],
      [{ id: 'x', ...activity, endpoint: http.endpoint }, '/endpoint'],
      [{ id: 'x', ...http, heartbeat_seconds: 0.5 }, '/heartbeat_seconds'],
      [{ id: 'x', ...http, heartbeat_seconds: 3601 }, '/heartbeat_seconds'],
      [{ id: 'x', ...http, produces: ['no spaces'] }, '/produces/0'],
      [{ id: 'x', ...http, produces: 'text' }, '/produces'],
      [{ id: 'x', ...http, reads: ['text', 'text'] }, '/reads'],
      [{ id: 'x', ...http, is_active: false }, '/is_active'],
      [{ id: 'x', ...http, config_schema: { type: 'wrong' } }, '/config_schema'],
      [{ id: 'x', ...http, config_schema: { $ref: 'http://127.0.0.1:1/schema.json' } }, '/config_schema'],
      [{ id: 'x', ...http, config_schema: [] }, '/config_schema'],
    ];
    for (const [body, path] of bad) {
      const { status, body: answer } = await post(body);
      assert.deepEqual([status, answer.error.code], [400, 'VALIDATION_FAILED'], JSON.stringify(body));
      const paths = answer.error.details.errors.map((each: { path: string }) => each.path);
      assert.ok(paths.includes(path), `${JSON.stringify(body)}: ${paths.join()}`);
    }
    for (const endpoint of [
      ...forbiddenHosts
        .flatMap(([, ...hosts]) => hosts.map((host) => `http://${host}:99/`))
        // That one is allowed here, however it is written.
        .filter((url) => new URL(url).hostname !== '127.0.0.1'),
      'ftp://example.com/',
    ]) {
      assert.equal((await post({ id: 'x', ...http, endpoint })).body.error.code, 'URL_NOT_ALLOWED', endpoint);
    }
    assert.equal((await put('Bad_Id', http)).body.error.details.errors[0].path, '/id');
    assert.equal((await put('x', { id: 'y', ...http })).body.error.details.errors[0].path, '/id');
    assert.equal((await post({ id: 'inside', ...http, endpoint: 'http://127.0.0.1:9/a' })).status, 201);
    assert.equal(
      (
        await post({
          id: `9${'-'.repeat(62)}`,
          ...activity,
          heartbeat_seconds: 1.5,
          produces: ['text', 'a.b-c_d'],
        })
      ).status,
      201,
    );
  });

  it('register again without losing config and state', async () => {
    assert.equal((await put('self', { ...activity, config: { a: 1 } })).status, 201);
    await api.call('PUT', '/plugins/self/config', { config: { a: 2 } });
    await api.call('PUT', '/plugins/self/toggle');
    const again = await put('self', {
      ...activity,
      id: 'self',
      name: 'New',
      version: '2',
      config: { a: 3 },
      config_schema: { properties: { a: { type: 'string' } } },
    });
    assert.deepEqual(
      [again.status, again.body.name, again.body.version, again.body.config, again.body.is_active],
      [200, 'New', '2', { a: 2 }, false],
    );
    assert.deepEqual(again.body.config_warnings, [{ path: '/a', message: 'must be string' }]);
    assert.ok(again.body.last_seen_at);
  });

  it('are registered with their own key, which must not change where their steps are sent', async () => {
    const bearer = await api.key('plugin:mine', 'plugin:web');
    assert.equal((await put('mine', activity, bearer)).status, 201);
    const refreshed = await put(
      'mine',
      { ...activity, name: 'New', description: 'More\nlines', produces: ['text'], heartbeat_seconds: 5 },
      bearer,
    );
    assert.deepEqual(
      [refreshed.status, refreshed.body.name, refreshed.body.heartbeat_seconds],
      [200, 'New', 5],
    );
    const routings = [
      { task_queue: 'other' },
      { activity_type: 'other' },
      { cleanup_activity_type: 'clean' },
    ];
    for (const routing of [...routings.map((each) => ({ ...activity, ...each })), http]) {
      const { status, body } = await put('mine', routing, bearer);
      assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN'], JSON.stringify(routing));
    }
    assert.equal((await put('web', http, bearer)).status, 201);
    assert.equal(
      (await put('web', { ...http, endpoint: 'https://elsewhere.example.com/' }, bearer)).status,
      403,
    );
    assert.equal((await put('else', activity, bearer)).status, 403);
    assert.equal((await put('mine', { ...activity, task_queue: 'other' })).body.task_queue, 'other');
    assert.equal((await put('mine', activity, bearer)).status, 403, 'what the admin decided stands');
    assert.equal((await api.call('GET', '/plugins/mine', undefined, { bearer })).body.name, 'A');
    assert.equal((await api.call('GET', '/plugins', undefined, { bearer })).status, 403);
  });

  it('that are built in keep where their steps are sent', async () => {
    const { body } = await post({ id: 'built-in', ...activity });
    await api.deps.db('plugins').where({ id: 'built-in' }).update({ built_in: true });
    const routes = [
      http,
      { ...activity, task_queue: 'elsewhere' },
      { ...activity, activity_type: 'other' },
      { ...activity, cleanup_activity_type: 'clean' },
    ];
    for (const route of routes) {
      const { status, body: refusal } = await put('built-in', route);
      assert.deepEqual([status, refusal.error.code], [409, 'PLUGIN_EXISTS']);
      assert.match(refusal.error.message, /^built-in is a built-in plugin: .*another id\.$/);
    }
    const renamed = await put('built-in', { ...activity, name: 'Renamed', heartbeat_seconds: 7 });
    const { status, body: now } = renamed;
    assert.deepEqual([status, now.name, now.heartbeat_seconds, now.built_in], [200, 'Renamed', 7, true]);
    assert.deepEqual([now.task_queue, now.activity_type], [body.task_queue, body.activity_type]);
  });

  it('are shown with their pollers, and listed without config', async () => {
    await put('listening', activity);
    const { body: listening } = await api.call('GET', '/plugins/listening');
    assert.deepEqual(
      [listening.pollers, listening.last_polled_at, listening.deliveries],
      [2, lastPolledAt.toISOString(), null],
    );
    const { body: hook } = await api.call('GET', '/plugins/hook');
    assert.deepEqual([hook.pollers, hook.last_polled_at], [null, null]);
    assert.deepEqual(polled, ['ocr']);
    const { items } = (await api.call('GET', '/plugins?limit=200')).body;
    assert.ok(items.length > 3);
    assert.ok(items.every((item: object) => !('config' in item)));
    const first = (await api.call('GET', '/plugins?limit=1')).body;
    const second = (await api.call('GET', `/plugins?limit=1&cursor=${first.next_cursor}`)).body;
    assert.deepEqual([first.items[0].id, second.items[0].id], [items[0].id, items[1].id]);
  });

  it('are registered although somebody deletes them at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [registered] = await Promise.all([
        put('contested', activity),
        api.call('DELETE', '/plugins/contested'),
      ]);
      assert.ok([200, 201].includes(registered.status), registered.text);
    }
  });

  it('are deleted unless they are in use', async () => {
    await put('needed', activity);
    const steps = [{ plugin_id: 'needed' }];
    const pipeline = (await api.call('POST', '/pipelines', { name: 'Uses it', trigger_type: 'needs', steps }))
      .body;
    const source = { kind: 'URL', url: 'https://example.com/' };
    const resource = (await api.call('POST', '/resources', { name: 'In flight', type: 'needs', source }))
      .body;
    const remove = async (): Promise<Answer> => await api.call('DELETE', '/plugins/needed');
    const inUse = {
      pipelines: [{ id: pipeline.id, name: 'Uses it' }],
      resources: [{ id: resource.id, name: 'In flight' }],
    };
    const first = await remove();
    assert.deepEqual(
      [first.status, first.body.error.code, first.body.error.details],
      [409, 'PLUGIN_IN_USE', inUse],
    );
    await api.call('DELETE', `/pipelines/${pipeline.id}`);
    assert.deepEqual((await remove()).body.error.details, { ...inUse, pipelines: [] });
    await api.call('POST', `/resources/${resource.id}/cancel`);
    assert.equal((await remove()).status, 204);
    assert.equal((await remove()).status, 404);
    assert.equal((await api.call('GET', '/plugins/needed')).status, 404);
    assert.equal(
      (await api.call('POST', '/plugins/mine/signing-secret')).body.error.code,
      'VALIDATION_FAILED',
    );
  });
});
