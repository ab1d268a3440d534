import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AttemptFailure } from '../../core/run-protocol.js';
import { uuidv7 } from '../../core/ids.js';
import type { PendingActivity } from '../../runtime/pending-activity.js';
import { markSeen } from '../../storage/plugins.js';
import { findStep, writeProgress } from '../../storage/runs.js';
import { startApi, type Answer, type TestApi } from '../support/api.js';

const source = { kind: 'URL', url: 'https://example.com/report.html' };
const worker = { name: 'W', kind: 'activity', task_queue: 'q', activity_type: 'a' } as const;
const failure: AttemptFailure = {
  code: 'BUSY',
  message: 'busy',
  details: {},
  attempt: null,
  retryable: true,
  exhausted: false,
  cause: 'ERROR',
};
const strong = /^"[\x21\x23-\x7e]+"$/;

describe('ETags', () => {
  let api: TestApi;
  let pending: PendingActivity[] = [];
  let pollers = 0;
  let number = 0;

  const get = async (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    await api.call('GET', path, undefined, { headers });
  const tagOf = async (path: string): Promise<string> => {
    const tag = (await get(path)).headers.get('etag') ?? '';
    assert.match(tag, strong, path);
    return tag;
  };
  const change = async (method: string, path: string, body: unknown, match?: string): Promise<Answer> =>
    await api.call(method, path, body, match === undefined ? {} : { headers: { 'if-match': match } });
  const register = async (type: string): Promise<string> =>
    (await api.call('POST', '/resources', { name: 'N', type, source })).body.id;
  const plugin = async (more: object = {}): Promise<string> => {
    const id = `plugin-${(number += 1)}`;
    assert.equal((await api.call('PUT', `/plugins/${id}`, { ...worker, ...more })).status, 201);
    return id;
  };
  const pipeline = async (): Promise<Answer> =>
    await api.call('POST', '/pipelines', {
      name: 'P',
      trigger_type: `type-${uuidv7()}`,
      steps: [{ plugin_id: 'worker' }],
    });

  before(async () => {
    api = await startApi({
      workflows: {
        pendingActivities: () => Promise.resolve(pending),
        countPollers: () => Promise.resolve((pollers += 1)),
      },
    });
    await api.call('PUT', '/plugins/worker', worker);
    const steps = [{ plugin_id: 'worker' }, { plugin_id: 'worker' }];
    await api.call('POST', '/pipelines', { name: 'Two steps', trigger_type: 'document', steps });
  });
  after(() => api.stop());

  it('stand on reads and on the answers of changes, and are the same there', async () => {
    const id = await register('unknown');
    const made = await pipeline();
    const plugins = `/plugins/${await plugin()}`;
    const config = { config: { a: 1 } };
    const cases: [string, string, unknown, string?][] = [
      ['PATCH', `/resources/${id}`, { name: 'M' }],
      ['PUT', `/resources/${id}/toggle`, undefined, `/resources/${id}`],
      ['PUT', `/pipelines/${made.body.id}`, [{ plugin_id: 'worker', max_attempts: 9 }]],
      ['PUT', `${plugins}/toggle`, undefined, plugins],
      ['PUT', `${plugins}/config`, config, plugins],
      ['PUT', plugins, { ...worker, name: 'X' }],
      ['POST', '/resources', { name: 'N', type: 'document', source }, 'location'],
      ['POST', '/plugins', { ...worker, id: 'posted' }, 'location'],
    ];
    assert.equal(made.headers.get('etag'), await tagOf(`/pipelines/${made.body.id}`));
    for (const [method, path, body, where = path] of cases) {
      const answer = await change(method, path, body);
      const at = where === 'location' ? (answer.headers.get('location') ?? '').replace('/api/v1', '') : where;
      assert.match(answer.headers.get('etag') ?? '', strong);
      assert.equal(answer.headers.get('etag'), await tagOf(at), `${method} ${path} ${answer.text}`);
      const bearer = await api.key('read');
      assert.equal((await api.call('GET', at, undefined, { bearer })).headers.get('etag'), await tagOf(at));
    }
    const resource = (await api.upload()).body;
    for (const rest of ['cancel', 'reprocess', 'cancel']) {
      const answer = await change('POST', `/resources/${resource.id}/${rest}`, undefined);
      assert.deepEqual(
        [answer.status, answer.headers.get('etag')],
        [202, await tagOf(`/resources/${resource.id}`)],
      );
    }
  });

  it('make 304 of a GET whose If-None-Match names them', async () => {
    const paths = [
      `/resources/${await register('unknown')}`,
      `/pipelines/${(await pipeline()).body.id}`,
      '/plugins/worker',
    ];
    for (const path of paths) {
      const tag = await tagOf(path);
      for (const header of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
        const { status, text, headers } = await get(path, { 'if-none-match': header });
        assert.deepEqual([status, text, headers.get('etag')], [304, '', tag], header);
      }
      for (const header of ['"x"', tag.slice(1, -1), '']) {
        assert.equal((await get(path, { 'if-none-match': header })).status, 200, header);
      }
      const head = await api.call('HEAD', path, undefined, { headers: { 'if-none-match': tag } });
      assert.equal(head.status, 304);
    }
    assert.equal((await get(`/resources/${uuidv7()}`, { 'if-none-match': '*' })).status, 404);
  });

  it('hold changes back that are made for something else: 412, and nothing changes', async () => {
    const resource = async (): Promise<string> => `/resources/${await register('unknown')}`;
    const aPipeline = async (): Promise<string> => `/pipelines/${(await pipeline()).body.id}`;
    const aPlugin = async (): Promise<string> => `/plugins/${await plugin()}`;
    const cases: [() => Promise<string>, string, string, unknown][] = [
      [resource, 'PATCH', '', { name: 'M' }],
      [resource, 'PUT', '/toggle', undefined],
      [resource, 'DELETE', '', undefined],
      [aPipeline, 'PUT', '', { name: 'Q', steps: [{ plugin_id: 'worker', max_attempts: 2 }] }],
      [aPipeline, 'DELETE', '', undefined],
      [aPlugin, 'PUT', '/toggle', undefined],
      [aPlugin, 'PUT', '/config', { config: { a: 1 } }],
      [aPlugin, 'PUT', '', { ...worker, name: 'X' }],
      [aPlugin, 'DELETE', '', undefined],
    ];
    for (const [make, method, rest, body] of cases) {
      const path = await make();
      const before = await get(path);
      const tag = before.headers.get('etag') ?? '';
      for (const match of ['"x"', `W/${tag}`, tag.slice(1, -1), '', '"x", "y"']) {
        const { status, body: answer } = await change(method, path + rest, body, match);
        assert.deepEqual(
          [status, answer?.error.code],
          [412, 'PRECONDITION_FAILED'],
          `${method} ${path} ${match}`,
        );
      }
      assert.deepEqual({ ...(await get(path)).body, pollers: 0 }, { ...before.body, pollers: 0 });
      const done = await change(method, path + rest, body, `"x", ${tag}`);
      assert.ok(done.status === 200 || done.status === 204, done.text);
      const again = await change(method, path + rest, body, tag);
      const isGone = method === 'DELETE';
      assert.equal(again.status, isGone ? 404 : 412);
      assert.equal((await change(method, path + rest, body, '*')).status, isGone ? 404 : 200);
    }
    const absent = await change('PUT', '/plugins/absent', worker, '*');
    assert.deepEqual([absent.status, (await get('/plugins/absent')).status], [412, 404]);
    const unmatched = { path: `/resources/${uuidv7()}`, match: '"x"' };
    assert.equal((await change('DELETE', unmatched.path, undefined, unmatched.match)).status, 404);
  });

  it('let one of many changes at once through', async () => {
    const resource = `/resources/${await register('unknown')}`;
    const aPipeline = `/pipelines/${(await pipeline()).body.id}`;
    const aPlugin = `/plugins/${await plugin()}`;
    const cases: [string, string, string, (index: number) => unknown][] = [
      ['PATCH', resource, '', (index) => ({ name: `name ${index}` })],
      ['PUT', resource, '/toggle', () => undefined],
      ['PUT', aPipeline, '', (index) => [{ plugin_id: 'worker', max_attempts: index + 10 }]],
      ['PUT', aPlugin, '/config', (index) => ({ config: { index } })],
      ['PUT', aPlugin, '/toggle', () => undefined],
    ];
    for (const [method, path, rest, body] of cases) {
      const tag = await tagOf(path);
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => change(method, path + rest, body(index), tag)),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, ...Array.from({ length: 29 }, () => 412)], `${method} ${path}${rest}`);
      const winner = answers.find(({ status }) => status === 200);
      assert.equal(winner?.headers.get('etag'), await tagOf(path));
    }
  });

  it('change with every edit and everything a run settles, with nothing else', async () => {
    const { db } = api.deps;
    const bearer = await api.key('admin');
    type Kind =
      'rename' | 'toggle' | 'settle' | 'fail' | 'reprocess' | 'progress' | 'claim' | 'retry' | 'live';
    const kinds: Kind[] = [
      'rename',
      'toggle',
      'settle',
      'fail',
      'reprocess',
      'progress',
      'claim',
      'retry',
      'live',
    ];
    const done = new Map<string, number>();

    const scenario = async (actions: readonly Kind[]): Promise<void> => {
      const { id } = (await api.upload()).body as { id: string };
      const path = `/resources/${id}`;
      const read = async (): Promise<Answer['body']> => (await get(path)).body;
      await api.advance({ id, run: 1 }, { kind: 'BEGIN' });
      for (const kind of actions) {
        const before = await tagOf(path);
        const { status, run, steps, is_enabled } = await read();
        const index: number = steps.findIndex((step: { status: string }) => step.status !== 'COMPLETED');
        const step = await findStep(db, id, run, index);
        const runs = status === 'PROCESSING' && step !== null;
        if (runs === (kind === 'reprocess') && !['rename', 'toggle'].includes(kind)) continue;
        number += 1;
        const attempt = (step?.attempt ?? 0) + 1;
        const failed = { ...failure, attempt };
        const acts: Readonly<Record<Kind, () => Promise<unknown>>> = {
          rename: () => change('PATCH', path, { name: `name ${number}`, is_enabled }),
          toggle: () => change('PUT', `${path}/toggle`, undefined),
          settle: () => {
            const text = { type: 'text', content_type: 'text', content: String(number) };
            const artifacts = index === 0 ? [] : [text];
            return api.advance({ id, run }, { kind: 'RETURNED', index, result: { artifacts } });
          },
          fail: () =>
            api.advance({ id, run }, { kind: 'FAILED', index, failure: { ...failed, retryable: false } }),
          reprocess: () => change('POST', `${path}/reprocess`, undefined),
          progress: () =>
            writeProgress(
              db,
              { resourceId: id, run, stepIndex: index },
              { fraction: 0.5, message: `${number}` },
            ),
          claim: () =>
            api.call(
              'POST',
              '/internal/attempts',
              { resource_id: id, run, step_index: index, attempt },
              { bearer },
            ),
          retry: () => api.advance({ id, run }, { kind: 'FAILED', index, failure: failed }),
          live: () => {
            const state = {
              activityType: 'a',
              state: 'SCHEDULED',
              nextAttemptAt: null,
              lastFailure: null,
            } as const;
            pending = [{ ...state, attempt: number % 3, lastWorker: null }];
            return Promise.resolve();
          },
        };
        await acts[kind]();
        if (kind === 'reprocess') await api.advance({ id, run: (run as number) + 1 }, { kind: 'BEGIN' });
        const after = await read();
        const isVolatile = ['progress', 'claim', 'retry', 'live'].includes(kind) && after.status === status;
        const tag = await tagOf(path);
        if (isVolatile) assert.equal(tag, before, kind);
        else assert.notEqual(tag, before, kind);
        done.set(kind, (done.get(kind) ?? 0) + 1);
      }
    };
    const anyActions = fc.array(fc.constantFrom(...kinds), { minLength: 4, maxLength: 10 });
    await fc.assert(fc.asyncProperty(anyActions, scenario), {
      numRuns: 12,
      examples: [
        [['progress', 'claim', 'retry', 'live', 'settle', 'settle', 'reprocess', 'fail', 'rename', 'toggle']],
      ],
    });
    assert.deepEqual([...done.keys()].sort(), kinds.toSorted());
  });

  it('of a plugin are over its whole config, and not over its workers', async () => {
    const config_schema = { properties: { key: { type: 'string', writeOnly: true } } };
    const id = await plugin({ config_schema, config: { key: 'one', a: 1 } });
    const path = `/plugins/${id}`;
    const seen = new Set([await tagOf(path)]);
    const configs = [{ key: 'two', a: 1 }, { a: 1 }, { a: 1, b: 2 }, { b: 2, a: 1 }, {}];
    for (const config of configs) {
      await change('PUT', `${path}/config`, { config });
      seen.add(await tagOf(path));
    }
    assert.equal(seen.size, 1 + configs.length);
    const bearer = await api.key('read');
    const hidden = await api.call('GET', path, undefined, { bearer });
    assert.equal(hidden.headers.get('etag'), await tagOf(path));

    const before = await get(path);
    await api.deps.db('plugins').where({ id }).update({ last_seen_at: null });
    await markSeen(api.deps.db, id);
    await change('PUT', path, { ...worker, config_schema });
    const after = await get(path);
    assert.notDeepEqual(
      [after.body.last_seen_at, after.body.updated_at, after.body.pollers],
      [before.body.last_seen_at, before.body.updated_at, before.body.pollers],
    );
    assert.equal(after.headers.get('etag'), before.headers.get('etag'));
  });

  it('of a resource tell that a pipeline for it has come', async () => {
    const type = `late-${uuidv7()}`;
    const path = `/resources/${await register(type)}`;
    const before = await tagOf(path);
    await api.call('POST', '/pipelines', { name: 'P', trigger_type: type, steps: [{ plugin_id: 'worker' }] });
    assert.notEqual(await tagOf(path), before);
  });
});
