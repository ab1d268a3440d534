import assert from 'node:assert/strict';
import { createTaskLimiter } from '../../plugins/host/limiter.js';

describe('a task limiter', () => {
  const { signal } = new AbortController();

  /** Tasks of these weights, which end when they are told to, and the order in which they began. */
  function tasks(
    places: number,
    lightest: number,
  ): {
    readonly add: (name: string, weight: number) => void;
    readonly end: (name: string) => Promise<void>;
    readonly begun: readonly string[];
  } {
    const limiter = createTaskLimiter(places, lightest);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const done = new Map<string, Promise<void>>();
    return {
      begun,
      add(name, weight) {
        const task = limiter.run(weight, signal, () => {
          begun.push(name);
          return new Promise<void>((end) => ends.set(name, end));
        });
        done.set(name, task);
      },
      async end(name) {
        ends.get(name)?.();
        await done.get(name);
        // What begins next does so after this.
        await new Promise(setImmediate);
      },
    };
  }

  it('reserves a place for light tasks, the lightest first; the others start in order', async () => {
    const { add, end, begun } = tasks(2, 100);
    for (const name of ['a', 'b', 'c', 'd']) add(name, Infinity);
    add('light', 50);
    for (const [name, weight] of [
      ['heavy', 101],
      ['lighter', 30],
      ['lightest', 20],
    ] as const)
      add(name, weight);
    await new Promise(setImmediate);
    assert.deepEqual(begun, ['a', 'b', 'light']);
    await end('light');
    await end('lightest');
    assert.deepEqual(begun.slice(3), ['lightest', 'lighter']);
    await end('a');
    await end('lighter');
    assert.deepEqual(begun.slice(5), ['c']);
    for (const name of ['b', 'c', 'd']) await end(name);
    assert.deepEqual(begun.slice(6), ['d', 'heavy']);
  });

  it('frees the place when a task fails', async () => {
    const limiter = createTaskLimiter(1, 0);
    const broken = new Error('broken');
    await assert.rejects(
      limiter.run(1, signal, () => Promise.reject(broken)),
      broken,
    );
    assert.equal(await limiter.run(1, signal, () => Promise.resolve('next')), 'next');
  });

  it('forgets a waiting task whose signal aborts', async () => {
    const limiter = createTaskLimiter(1, 0);
    let end = (): void => undefined;
    const first = limiter.run(1, signal, () => new Promise<void>((resolve) => (end = resolve)));
    const reason = new Error('cancelled');
    const controller = new AbortController();
    const waiting = limiter.run(1, controller.signal, () => assert.fail('it began'));
    const last = limiter.run(1, signal, () => Promise.resolve('last'));
    controller.abort(reason);
    await assert.rejects(waiting, reason);
    await assert.rejects(
      limiter.run(1, controller.signal, () => assert.fail('it began')),
      reason,
    );
    end();
    await first;
    assert.equal(await last, 'last');
  });
});
