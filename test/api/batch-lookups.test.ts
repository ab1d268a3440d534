import assert from 'node:assert/strict';
import { batchLookups } from '../../api/lookups/batch-lookups.js';

describe('batched lookups', () => {
  /** Questions as they were put, and what answers them in that order. */
  function recorder(): {
    readonly put: (readonly string[])[];
    readonly get: (key: string) => Promise<number | null>;
    readonly answer: (...known: (Record<string, number> | Error)[]) => Promise<void>;
  } {
    const put: (readonly string[])[] = [];
    const settle: ((known: Record<string, number> | Error) => void)[] = [];
    const get = batchLookups<number>(
      (keys) =>
        new Promise((resolve, reject) => {
          put.push(keys);
          settle.push((known) => {
            if (known instanceof Error) reject(known);
            else resolve(new Map(Object.entries(known)));
          });
        }),
    );
    const answer = async (...known: (Record<string, number> | Error)[]): Promise<void> => {
      await turn();
      for (const each of known) settle.shift()?.(each);
    };
    return { put, get, answer };
  }

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('of one turn of the event loop become one query with each key once', async () => {
    const { put, get, answer } = recorder();
    const asked = ['a', 'b', 'a', 'c'].map(get);
    assert.deepEqual(put, []);
    await answer({ a: 1, b: 2 });
    assert.deepEqual(await Promise.all(asked), [1, 2, 1, null]);
    assert.deepEqual(put, [['a', 'b', 'c']]);
  });

  it('do not include keys that arrive after the query was sent', async () => {
    const { put, get, answer } = recorder();
    const first = get('a');
    await turn();
    const second = get('a');
    await answer({ a: 1 }, { a: 2 });
    assert.deepEqual(await Promise.all([first, second]), [1, 2]);
    assert.deepEqual(put, [['a'], ['a']]);
  });

  it('fail for all callers of a batch, and not for later ones', async () => {
    const { get, answer } = recorder();
    const asked = Promise.allSettled([get('a'), get('b')]);
    await answer(new Error('away'));
    assert.deepEqual(
      (await asked).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    const again = get('a');
    await answer({ a: 1 });
    assert.equal(await again, 1);
  });
});
