import assert from 'node:assert/strict';
import type { ListedPlugin } from '@knowledge-warehouse/client';
import { healthOf } from '../../web/src/parts/status/plugin-health.js';

describe('the health of a plugin on the page', () => {
  const now = Date.parse('2026-01-01T12:00:00Z');
  const plugin = {
    ...{ id: 'ocr', name: 'OCR', description: '', version: '', built_in: false, is_active: true },
    ...{ kind: 'http', endpoint: 'https://ocr.example.com', task_queue: null, last_seen_at: null },
  } as unknown as ListedPlugin;
  const failure = { at: '2026-01-01T11:50:00Z', code: 'OUT_OF_INK', message: 'Refill it.' };
  const deliveries = (succeeded: number, failed: number, more: object = {}): object => ({
    ...plugin,
    deliveries: { succeeded, failed, success_rate: null, last_success_at: null, last_failure: null, ...more },
  });
  const polled = (pollers: number | null): object => ({
    ...plugin,
    ...{ kind: 'activity', endpoint: null, task_queue: 'ocr', pollers },
  });
  const cases: readonly [string, object, string, string, RegExp?][] = [
    ['no deliveries', deliveries(0, 0), 'grey', 'No attempt ended in the last hour'],
    ['successes', deliveries(1_234, 0), 'green', '1,234 succeeded in the last hour'],
    [
      'a failure after the last success',
      deliveries(3, 1, { last_success_at: '2026-01-01T11:40:00Z', last_failure: failure }),
      ...(['amber', '1 of 4 failed in the last hour', /OUT_OF_INK: Refill it/] as const),
    ],
    [
      'a failure before the last success',
      deliveries(3, 1, { last_success_at: '2026-01-01T11:55:00Z', last_failure: failure }),
      ...(['amber', '1 of 4 failed in the last hour', /OUT_OF_INK/] as const),
    ],
    [
      'an old failure',
      deliveries(0, 0, { last_failure: failure }),
      ...(['amber', 'Last delivery failed', /OUT_OF_INK/] as const),
    ],
    ['being inactive', { ...plugin, is_active: false }, 'grey', 'Inactive', /Activate/],
    ['two pollers', polled(2), 'green', '2 workers polling'],
    ['no poller', polled(0), 'amber', 'No worker polls', /task queue “ocr”/],
    ['no answer from Temporal', polled(null), 'amber', 'Unknown', /Temporal does not answer/],
  ];
  for (const [name, shown, tone, text, advice] of cases)
    it(`follows from ${name}`, () => {
      const health = healthOf(shown as ListedPlugin, now);
      assert.deepEqual([health.tone, health.text], [tone, text]);
      assert.match(health.advice ?? '', advice ?? /^$/);
    });
});
