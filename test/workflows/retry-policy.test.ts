import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toActivityOptions } from '../../workflows/retry-policy.js';

describe('the mapping of a step onto an activity', () => {
  const table = [
    // max_attempts left, backoff_seconds, timeout_seconds → maximumAttempts, interval in ms, timeout in ms
    [3, 5, 300, 3, 5_000, 300_000],
    [1, 0, 0.001, 1, 1, 1],
    [100, 86_400, 604_800, 100, 86_400_000, 604_800_000],
    [2, 0.0004, 0.0001, 2, 1, 1],
    [2, 1.2345, 2.3456, 2, 1_235, 2_346],
    [7, 0.5, 1.5, 7, 500, 1_500],
  ] as const;

  for (const [left, backoff, timeout, attempts, interval, timeoutMs] of table) {
    it(`${left} attempts, ${backoff} s apart, ${timeout} s each`, () => {
      assert.deepEqual(toActivityOptions({ backoff_seconds: backoff, timeout_seconds: timeout }, left), {
        startToCloseTimeout: timeoutMs,
        retry: {
          maximumAttempts: attempts,
          initialInterval: interval,
          maximumInterval: interval,
          backoffCoefficient: 1,
        },
      });
    });
  }

  it('gives whole milliseconds of at least one for every valid step', () => {
    const step = fc.record({
      backoff_seconds: fc.double({ min: 0, max: 86_400, noNaN: true }),
      timeout_seconds: fc.double({ min: Number.MIN_VALUE, max: 604_800, noNaN: true }),
    });
    fc.assert(
      fc.property(step, fc.integer({ min: 1, max: 100 }), (bounds, left) => {
        const { startToCloseTimeout, retry } = toActivityOptions(bounds, left);
        for (const ms of [startToCloseTimeout, retry.initialInterval]) {
          assert.ok(Number.isInteger(ms) && Number(ms) >= 1, `${ms}`);
        }
      }),
    );
  });

  it('refuses to schedule a step without remaining attempts', () => {
    assert.throws(() => toActivityOptions({ backoff_seconds: 1, timeout_seconds: 1 }, 0), RangeError);
  });
});
