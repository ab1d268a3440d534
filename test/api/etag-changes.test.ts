import assert from 'node:assert/strict';
import fc from 'fast-check';
import { uuidv7 } from '../../core/ids.js';
import type { AttemptFailure } from '../../core/runs/run-protocol.js';
import type { PendingActivity } from '../../runtime/temporal/pending-activity.js';
import { markSeen } from '../../storage/pipelines/plugins.js';
import { findStep, writeProgress } from '../../storage/runs/runs.js';
import type { Answer } from '../support/service/api.js';
import { startTagged, worker, type Tagged } from '../support/service/etags.js';
import { isFull } from '../support/full.js';

const failure: AttemptFailure = {
  code: 'BUSY',
  message: 'busy',
  details: {},
  attempt: null,
  retryable: true,
  exhausted: false,
  cause: 'ERROR',
};

describe('ETags as things change', () => {
  let api: Tagged['api'];
  let get: Tagged['get'];
  let tagOf: Tagged['tagOf'];
  let change: Tagged['change'];
  let register: Tagged['register'];
  let plugin: Tagged['plugin'];
  let pending: PendingActivity[] = [];
  let number = 0;
  before(async () => {
    ({ api, get, tagOf, change, register, plugin } = await startTagged({
      pendingWork: () =>
        Promise.resolve({ activities: pending, failingTask: null, taskWaits: false, foreign: null }),
    }));
  });
  after(() => api.stop());

  it('change with every edit and every result of a run, and with nothing else', async () => {
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
        const ended = { index, attemptBase: step?.attempt_base ?? 0 };
        const acts: Readonly<Record<Kind, () => Promise<unknown>>> = {
          rename: () => change('PATCH', path, { name: `name ${number}`, is_enabled }),
          toggle: () => change('PUT', `${path}/toggle`, undefined),
          settle: () => {
            const text = { type: 'text', content_type: 'text', content: String(number) };
            const artifacts = index === 0 ? [] : [text];
            return api.advance({ id, run }, { kind: 'RETURNED', ...ended, result: { artifacts } });
          },
          fail: () =>
            api.advance({ id, run }, { kind: 'FAILED', ...ended, failure: { ...failed, retryable: false } }),
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
          retry: () => api.advance({ id, run }, { kind: 'FAILED', ...ended, failure: failed }),
          live: () => {
            const state = {
              activityId: '1',
              activityType: 'a',
              taskQueue: null,
              state: 'SCHEDULED',
              nextAttemptAt: null,
              lastFailure: null,
            } as const;
            pending = [{ ...state, attempt: number % 3 }];
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
      numRuns: isFull ? 12 : 4,
      // Each kind of action once in effect: with a claim before the retry, the attempts would be used up.
      examples: [
        [['retry', 'rename', 'settle', 'settle']],
        [['progress', 'retry', 'live', 'claim', 'settle', 'settle', 'reprocess', 'fail', 'rename', 'toggle']],
      ],
    });
    assert.deepEqual([...done.keys()].sort(), kinds.toSorted());
  });

  it('of a plugin cover its whole config, and not its workers', async () => {
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

  it('of a resource change when a pipeline for it is created', async () => {
    const type = `late-${uuidv7()}`;
    const path = `/resources/${await register(type)}`;
    const before = await tagOf(path);
    await api.call('POST', '/pipelines', { name: 'P', trigger_type: type, steps: [{ plugin_id: 'worker' }] });
    assert.notEqual(await tagOf(path), before);
  });
});
