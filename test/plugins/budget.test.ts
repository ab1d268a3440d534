import assert from 'node:assert/strict';
import { createBudget } from '../../plugins/chunk-text/budget.js';

describe('a budget', () => {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('is never exceeded, and tasks begin in order of arrival', async () => {
    const budget = createBudget(10);
    const { signal } = new AbortController();
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const add = (name: string, weight: number): Promise<void> =>
      budget.run(weight, signal, () => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      });
    const tasks = [add('a', 4), add('b', 5), add('heavy', 10), add('light', 1)];
    await turn();
    assert.deepEqual(begun, ['a', 'b']);
    ends.get('a')!();
    await turn();
    assert.deepEqual(begun, ['a', 'b']);
    ends.get('b')!();
    await turn();
    assert.deepEqual(begun, ['a', 'b', 'heavy']);
    ends.get('heavy')!();
    await turn();
    assert.deepEqual(begun, ['a', 'b', 'heavy', 'light']);
    ends.get('light')!();
    await Promise.all(tasks);
  });

  it('is left by a waiting task that is cancelled, and freed by one that fails', async () => {
    const budget = createBudget(10);
    const { signal } = new AbortController();
    let fail = (_: Error): void => undefined;
    const failing = budget.run(6, signal, () => new Promise<void>((_, reject) => (fail = reject)));
    const cancelled = new AbortController();
    const heavy = budget.run(10, cancelled.signal, () => assert.fail('it began'));
    const light = budget.run(4, signal, () => Promise.resolve('light'));
    cancelled.abort(new Error('cancelled'));
    await assert.rejects(heavy, { message: 'cancelled' });
    assert.equal(await light, 'light');
    await assert.rejects(
      budget.run(1, cancelled.signal, () => assert.fail('it began')),
      { message: 'cancelled' },
    );
    fail(new Error('failed'));
    await assert.rejects(failing, { message: 'failed' });
    assert.equal(await budget.run(10, signal, () => Promise.resolve('all')), 'all');
  });
});
