import assert from 'node:assert/strict';
import { mock } from 'node:test';
import fc from 'fast-check';
import { createProgressThrottle, type Progress } from '@knowledge-warehouse/plugin/host';
import { isFull } from '../support/full.js';

const intervalMs = 1_000;

/** What is done with a throttle: time passes, something is reported, or what waits is flushed. */
const action = fc.oneof(
  fc.record({ passMs: fc.integer({ min: 1, max: 2_500 }) }),
  fc.record({ report: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ flush: fc.constant(true) }),
);

describe('the progress throttle', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      mock.timers.tick(50);
      await settle();
    }
  };

  it('sends in order, one at a time, once a second unless it is flushed, and always the last', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 30 }),
        fc.integer({ min: 0, max: 1_800 }),
        async (actions, sendMs) => {
          const sent: { readonly fraction: number | null; readonly at: number }[] = [];
          const reported: number[] = [];
          let underway = 0;
          let flushedAt = -Infinity;
          const throttle = createProgressThrottle(
            async ({ fraction }: Progress) => {
              assert.equal(underway++, 0, 'two at a time');
              const before = sent.at(-1)?.at ?? -Infinity;
              if (flushedAt < before) assert(Date.now() - before >= intervalMs, 'too soon');
              sent.push({ fraction, at: Date.now() });
              await new Promise((done) => setTimeout(done, sendMs));
              underway--;
              if (sent.length % 3 === 0) throw new Error('Core is away');
            },
            () => undefined,
            intervalMs,
          );
          for (const step of actions) {
            if ('passMs' in step) await pass(step.passMs);
            else if ('report' in step) throttle.report(reported[reported.push(step.report) - 1] ?? 0);
            else {
              const flushed = throttle.flush().then(() => (flushedAt = Date.now()));
              flushedAt = Infinity;
              await pass(2 * sendMs + 100);
              await flushed;
              assert.equal(sent.at(-1)?.fraction, reported.at(-1));
            }
          }
          await pass(2 * (intervalMs + sendMs) + 100);
          assert.equal(sent.at(-1)?.fraction, reported.at(-1));
          let from = 0;
          for (const { fraction } of sent) {
            const found = reported.indexOf(fraction ?? -1, from);
            assert(found >= 0, 'out of order, or twice');
            from = found + 1;
          }
        },
      ),
      { numRuns: isFull ? 200 : 50 },
    );
  });

  it('limits what a plugin may report', async () => {
    const sent: Progress[] = [];
    const throttle = createProgressThrottle(
      (progress) => Promise.resolve(void sent.push(progress)),
      () => undefined,
    );
    for (const [fraction, message] of [
      [Number.NaN, undefined],
      [7, 'x'.repeat(2_000)],
      [-1, 'half a character \ud83d'],
    ] as const) {
      throttle.report(fraction, message);
      const flushed = throttle.flush();
      await pass(50);
      await flushed;
    }
    assert.deepEqual(sent, [
      { fraction: 0, message: null },
      { fraction: 1, message: 'x'.repeat(1_000) },
      { fraction: 0, message: 'half a character \ufffd' },
    ]);
  });
});
