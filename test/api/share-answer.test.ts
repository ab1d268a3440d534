import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { shareAnswer } from '../../api/lookups/share-answer.js';

describe('a shared answer', () => {
  let now = 0;
  before(() => void mock.method(performance, 'now', () => now));
  after(() => mock.restoreAll());

  const tooSlow = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });

  for (const [what, tookMs, error, keptMs] of [
    ['is kept for a while if it was fast', 10, null, 5_000],
    ['is kept for a multiple of its duration if it was slow', 30_000, null, 300_000],
    ['is kept if a statement was too slow', 1_000, tooSlow, 10_000],
    ['is kept for at most a minute if a statement was too slow', 30_000, tooSlow, 60_000],
    ['is not kept if it failed otherwise', 30_000, new Error('away'), 0],
  ] as const)
    it(what, async () => {
      let reads = 0;
      const read = shareAnswer(
        () => {
          reads += 1;
          now += tookMs;
          return error === null ? Promise.resolve() : Promise.reject(error);
        },
        { freshMs: 5_000, restFactor: 10 },
      );
      const readAfter = async (ms: number): Promise<number> => {
        now += ms;
        await read().catch(() => undefined);
        return reads;
      };
      assert.equal(await readAfter(0), 1);
      if (keptMs > 0) assert.equal(await readAfter(keptMs - 1), 1);
      assert.equal(await readAfter(1), 2);
    });
});
