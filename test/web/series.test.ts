import assert from 'node:assert/strict';
import type { Statistics } from '@knowledge-warehouse/client';
import { formatBucket, formatTick, niceTop } from '../../web/src/views/overview/series.js';

describe('the labels of the charts', () => {
  it('count in whole numbers: half of the largest is one too', () => {
    assert.deepEqual([0, 4, 5, 9, 11, 25, 41, 230].map(niceTop), [4, 4, 6, 10, 12, 30, 50, 240]);
  });

  const zone = process.env['TZ'];
  after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  const tick = (at: string, bucket_seconds: number): string => {
    const buckets = Array.from({ length: 28 }, () => ({ at }));
    return formatTick({ buckets, bucket_seconds } as unknown as Statistics, at);
  };

  for (const [name, date, time] of [
    ['America/Los_Angeles', 'Jun 9', 'Tue, Jun 9, 17:00'],
    ['Pacific/Auckland', 'Jun 10', 'Wed, Jun 10, 12:00'],
  ] as const)
    it(`name a day as the service counts it, in UTC, and a shorter time as in ${name}`, () => {
      process.env['TZ'] = name;
      const midnight = '2026-06-10T00:00:00.000Z';
      assert.equal(formatBucket(midnight, 86_400), 'Jun 10');
      assert.equal(tick(midnight, 86_400), 'Jun 10');
      assert.equal(formatBucket(midnight, 21_600), time);
      assert.equal(tick(midnight, 21_600), date);
      assert.equal(tick(midnight, 300), time.slice(-5));
    });
});
