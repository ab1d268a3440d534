import assert from 'node:assert/strict';
import type { ListedPlugin, System } from '@knowledge-warehouse/client';
import { concernsOf, type Concern } from '../../web/src/views/overview/concerns.js';

const now = Date.parse('2026-01-01T12:00:00Z');
const gigabyte = 1e9;

const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

const ok = { status: 'ok' } as const;
const healthy = {
  checks: { postgresql: ok, temporal: ok, object_store: ok },
  queues: [],
  waits: [],
  clean_ups: [],
  disk: { free_bytes: 100 * gigabyte, total_bytes: 500 * gigabyte },
} as unknown as System;

const ocr = {
  ...{ id: 'ocr', kind: 'http', is_active: true, last_seen_at: null, task_queue: null },
  deliveries: { succeeded: 3, failed: 0, last_success_at: ago(1), last_failure: null },
} as unknown as ListedPlugin;

const concerns = (system: Partial<System>, plugins: readonly ListedPlugin[] = []): readonly Concern[] =>
  concernsOf({ ...healthy, ...system }, plugins, now);

/** The text and the details of each concern. */
const told = (...given: Parameters<typeof concerns>): readonly string[] =>
  concerns(...given).map(({ text, detail }) => `${text}. ${detail}`);

describe('what needs attention on the overview', () => {
  it('is nothing while all is well', () => {
    assert.deepEqual(concerns({}, [ocr]), []);
    assert.deepEqual(concerns({ disk: null }), []);
  });

  it('includes parts that cannot be used, with the reason', () => {
    const error = { status: 'error', message: 'connection refused' } as const;
    for (const [part, label] of [
      ['postgresql', 'PostgreSQL'],
      ['temporal', 'Temporal'],
      ['object_store', 'The object store'],
    ] as const)
      assert.deepEqual(told({ checks: { ...healthy.checks, [part]: error } }), [
        `${label} cannot be used. connection refused`,
      ]);
  });

  it('includes long waits, unless a missing worker explains them', () => {
    const queue = { built_in: false, plugins: [{ plugin_id: 'translate', is_active: true }] };
    const wait = { plugin_id: 'translate', count: 2, oldest_since: ago(65) };
    const waits: System['waits'] = [
      { ...wait, kind: 'worker' },
      { ...wait, kind: 'callback', count: 1 },
      { ...wait, kind: 'retry' },
    ];
    const others = [
      '1 resource waits at translate for the worker’s report. The longest for 1 h 5 min.',
      '2 resources wait at translate for the next attempt. The longest for 1 h 5 min.',
    ];
    const polled = { ...queue, task_queue: 'translations', pollers: 1, last_polled_at: ago(0) };
    assert.deepEqual(told({ waits, queues: [polled] }), [
      '2 resources wait at translate for a worker. The longest for 1 h 5 min.',
      ...others,
    ]);
    assert.deepEqual(told({ waits, queues: [{ ...polled, pollers: 0 }] }), [
      'No worker for translate. 2 resources wait, the longest for 1 h 5 min. Start a worker on the task queue “translations”.',
      ...others,
    ]);
    const inactive = { ...polled, pollers: 0, plugins: [{ plugin_id: 'translate', is_active: false }] };
    assert.equal(told({ waits, queues: [inactive] })[0], told({ waits, queues: [polled] })[0]);
    for (const { link } of concerns({ waits })) assert.equal(link?.href, '/resources?waiting=true');
  });

  it('includes the missing worker of the service once, whatever its queues', () => {
    const queue = { built_in: true, pollers: 0, last_polled_at: null };
    const queues: System['queues'] = [
      { ...queue, task_queue: 'core', plugins: [{ plugin_id: 'embed', is_active: true }] },
      { ...queue, task_queue: 'reading', plugins: [{ plugin_id: 'extract-text', is_active: true }] },
    ];
    const waits: System['waits'] = [
      { plugin_id: 'extract-text', kind: 'worker', count: 2, oldest_since: ago(65) },
    ];
    assert.deepEqual(told({ queues, waits }), [
      'No worker for the service itself. 2 resources wait, the longest for 1 h 5 min. Start `kw worker`.',
    ]);
  });

  it('includes clean-ups that are older than ten minutes, with the last error', () => {
    const cleanUp = { plugin_id: 'ocr', count: 2, oldest_at: ago(11), last_error: 'The store is away.' };
    const clean_ups: System['clean_ups'] = [
      cleanUp,
      { ...cleanUp, plugin_id: 'embed', count: 1, last_error: null },
      { ...cleanUp, plugin_id: 'chunk-text', oldest_at: ago(10) },
    ];
    assert.deepEqual(told({ clean_ups }), [
      '2 clean-ups of ocr are stuck. The oldest for 11 min. The store is away.',
      '1 clean-up of embed is stuck. The oldest for 11 min. No attempt yet.',
    ]);
    assert.equal(concerns({ clean_ups })[0]?.link?.href, '/plugins/ocr');
  });

  it('includes failing deliveries to active HTTP workers', () => {
    const last_failure = { at: ago(0), code: 'OUT_OF_INK', message: 'Refill it.' };
    const deliveries = { succeeded: 3, failed: 1, last_success_at: ago(1), last_failure };
    const failing = { ...ocr, deliveries } as ListedPlugin;
    const polling = { ...failing, id: 'translate', kind: 'activity', task_queue: 'translations' } as const;
    assert.deepEqual(told({}, [failing, { ...failing, id: 'idle', is_active: false }, polling]), [
      'ocr: 1 of 4 failed in the last hour. The last failure was OUT_OF_INK: Refill it.',
    ]);
    assert.equal(concerns({}, [failing])[0]?.link?.href, '/plugins/ocr');
  });

  it('includes scarce disk space: less than 20 GB, or than a tenth of a smaller disk', () => {
    const cases: readonly [free: number, total: number, tone: Concern['tone'] | undefined][] = [
      [20.1, 500, undefined],
      [20, 500, 'amber'],
      [10.1, 100, undefined],
      [10, 100, 'amber'],
      [1, 100, 'amber'],
      [0.9, 100, 'red'],
    ];
    for (const [free, total, tone] of cases) {
      const disk = { free_bytes: free * gigabyte, total_bytes: total * gigabyte };
      assert.equal(concerns({ disk })[0]?.tone, tone, `${free} of ${total}`);
    }
    assert.match(
      told({ disk: { free_bytes: 10 * gigabyte, total_bytes: 100 * gigabyte } }).join(),
      /^10 GB of disk space left. Of 100 GB. When it is full, uploads and runs fail/,
    );
  });

  it('is listed worst first', () => {
    const oldest = { plugin_id: 'ocr', count: 1, oldest_at: ago(60), last_error: null };
    const disk = { free_bytes: 0, total_bytes: 100 * gigabyte };
    const all = concerns({
      checks: { ...healthy.checks, temporal: { status: 'error' } },
      waits: [{ plugin_id: 'ocr', kind: 'retry', count: 1, oldest_since: ago(1) }],
      clean_ups: [oldest],
      disk,
    });
    assert.deepEqual(
      all.map(({ key }) => key),
      ['temporal', 'disk', 'wait ocr retry', 'clean-up ocr'],
    );
  });
});
