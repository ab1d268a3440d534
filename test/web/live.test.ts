import assert from 'node:assert/strict';
import { inBatches } from '../../web/src/live/batches.js';
import type { LiveEvent, ResourceFields, StepFields } from '../../web/src/live/events.js';
import { patchRow } from '../../web/src/live/patch-row.js';
import { eventually } from '../support/eventually.js';

/** What the tests use of `QueryClient`. */
interface Cache {
  setQueryData(key: readonly string[], data: object, options: { readonly updatedAt: number }): void;
  query(options: object): Promise<unknown>;
  invalidateQueries(options: object): Promise<void>;
  getQueryState(key: readonly string[]): {
    readonly data: { readonly items: readonly { readonly status: string }[] };
    readonly error: unknown;
    readonly isInvalidated: boolean;
    readonly dataUpdatedAt: number;
  };
  clear(): void;
}
interface Patching {
  readonly patchCaches: (client: Cache, events: readonly LiveEvent[]) => void;
}

/** Loads a module that imports React without its types, which would replace the browser's for all tests. */
const load = async <T>(module: string): Promise<T> => (await import(module)) as T;

const step = {
  index: 0,
  plugin_id: 'extract-text',
  status: 'COMPLETED',
  attempt: 2,
  max_attempts: 3,
  started_at: '2026-01-01T00:00:00.000Z',
  attempt_started_at: '2026-01-01T00:00:01.000Z',
  finished_at: '2026-01-01T00:00:05.000Z',
  queue_seconds: 1,
  run_seconds: 4,
  progress: { fraction: 1, message: null },
  error: null,
  waiting_for: null,
} as const;

const row = {
  id: '019a9f5e-7c1b-7d4e-8a51-0e6f2a9b3c4d',
  name: 'handbook.pdf',
  type: 'document',
  source_type: 'UPLOAD',
  source_uri: null,
  status: 'COMPLETED',
  no_matching_pipeline: false,
  is_enabled: true,
  metadata: {},
  run: 1,
  steps: [step],
  size_bytes: 12,
  sha256: null,
  media_type: null,
  error: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:05.000Z',
  started_at: null,
  finished_at: null,
  workflow_id: null,
} satisfies Parameters<typeof patchRow>[0];

const resourceEvent = (changes: Partial<ResourceFields>): ResourceFields => ({
  ...row,
  error: null,
  ...changes,
});
const stepEvent = (changes: Partial<StepFields>): StepFields => ({
  ...step,
  resource_id: row.id,
  run: 1,
  ...changes,
});

describe('a row that events update', () => {
  it('takes over their values', () => {
    const error = { code: 'STEP_TIMED_OUT', message: null, step: 0 };
    const next = patchRow(row, resourceEvent({ name: 'Handbook', status: 'FAILED', error }), [
      stepEvent({ status: 'FAILED', error: { code: 'STEP_TIMED_OUT', message: 'too slow' } }),
    ]);
    assert.deepEqual([next.name, next.status], ['Handbook', 'FAILED']);
    assert.deepEqual(next.error, { ...error, message: '' });
    assert.deepEqual(next.steps[0]?.error, { code: 'STEP_TIMED_OUT', message: 'too slow', details: {} });
    assert.equal(row.name, 'handbook.pdf');
  });

  it('starts over with a new run, and takes only its steps', () => {
    const next = patchRow(row, resourceEvent({ run: 2, status: 'PROCESSING' }), [
      stepEvent({ run: 1, status: 'FAILED' }),
    ]);
    assert.deepEqual([next.run, next.steps[0]?.status, next.steps[0]?.attempt], [2, 'PENDING', 0]);
    const running = patchRow(next, undefined, [stepEvent({ run: 2, status: 'RUNNING', attempt: 1 })]);
    assert.deepEqual([running.steps[0]?.status, running.steps[0]?.attempt], ['RUNNING', 1]);
  });

  it('ignores events of earlier runs, and of steps that it does not have', () => {
    const second = { ...row, run: 2 };
    const next = patchRow(second, resourceEvent({ run: 1, status: 'FAILED' }), [
      stepEvent({ run: 1, status: 'FAILED' }),
      stepEvent({ run: 2, index: 7, status: 'FAILED' }),
    ]);
    assert.deepEqual(next, second);
  });
});

describe('a loaded list that events update', () => {
  it('keeps its age, and stays outdated or failed', async () => {
    const { QueryClient } = await load<{ QueryClient: new () => Cache }>('@tanstack/react-query');
    const { patchCaches } = await load<Patching>('../../web/src/live/apply-events.js');
    const client = new QueryClient();
    const lists = ['resources', 'list'];
    const [touched, other] = [
      [...lists, 'touched'],
      [...lists, 'other'],
    ];
    const others = { items: [{ ...row, id: 'another' }], next_cursor: null };
    client.setQueryData(touched, { items: [row], next_cursor: null }, { updatedAt: 1 });
    client.setQueryData(other, others, { updatedAt: 1 });
    const error = new Error('The service is away');
    const queryFn = () => Promise.reject(error);
    await assert.rejects(client.query({ queryKey: touched, queryFn, retry: false, staleTime: 0 }));
    await client.invalidateQueries({ queryKey: lists });
    const data = resourceEvent({ status: 'FAILED' }) as unknown as LiveEvent['data'];
    patchCaches(client, [{ name: 'resource.updated', data }]);

    const [after, untouched] = [client.getQueryState(touched), client.getQueryState(other)];
    assert.equal(after.data.items[0]?.status, 'FAILED');
    assert.equal(after.error, error);
    assert.equal(untouched.data, others);
    for (const state of [after, untouched])
      assert.deepEqual([state.isInvalidated, state.dataUpdatedAt], [true, 1]);
    client.clear();
  });
});

describe('a burst of events', () => {
  it('is passed on in few batches, complete and in order', async () => {
    const batches: number[][] = [];
    const { take } = inBatches<number>(60, (items) => batches.push([...items]));
    for (let item = 0; item < 1000; item++) take(item);
    await eventually(() => batches.length === 1);
    take(1000);
    take(1001);
    await eventually(() => batches.length === 2);
    assert.deepEqual(
      batches.flat(),
      Array.from({ length: 1002 }, (_item, index) => index),
    );
  });

  it('is dropped when it has no listeners left', async () => {
    const passed: number[] = [];
    const stopped = inBatches<number>(20, (items) => passed.push(...items));
    stopped.take(1);
    stopped.stop();
    const after = inBatches<number>(20, (items) => passed.push(...items));
    after.take(2);
    await eventually(() => passed.length > 0);
    assert.deepEqual(passed, [2]);
  });
});
