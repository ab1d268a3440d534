import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { createBudget } from '../../plugins/chunk-text/budget.js';
import { withChunks } from '../../plugins/chunk-text/read-chunks.js';
import { PluginFailure } from '@knowledge-warehouse/plugin';
import { createInputs } from '@knowledge-warehouse/plugin/host';

const mib = 1024 * 1024;

describe('the chunks of an artifact', () => {
  const { signal } = new AbortController();
  const progress = (): void => assert.fail('it waited');
  const inputOf = (open: () => Readable): ReturnType<typeof createInputs> =>
    createInputs([{ artifact_id: 'a', type: 'chunks', content_type: 'json' }], () => Promise.resolve(open()));
  const textsOf = (...texts: readonly string[]): ReturnType<typeof createInputs> =>
    inputOf(() => Readable.from([Buffer.from(JSON.stringify({ chunks: texts.map((text) => ({ text })) }))]));

  it('wait for one another if they are large, until those in use are no longer needed', async () => {
    const budget = createBudget(3 * mib);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const waited: string[] = [];
    const use = (name: string, text: string, given = signal): Promise<void> =>
      withChunks(
        { inputs: textsOf(text), signal: given, progress: () => waited.push(name) },
        (chunks) => {
          assert.deepEqual(
            chunks.map((chunk) => chunk.text),
            [text],
          );
          begun.push(name);
          return new Promise((resolve) => ends.push(resolve));
        },
        budget,
      );
    const large = 'ä'.repeat(mib);
    const first = use('first', large);
    while (begun.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const cancelled = new AbortController();
    const left = assert.rejects(use('cancelled', large, cancelled.signal), { message: 'cancelled' });
    const second = use('second', large);
    const small = use('small', 'short');
    while (begun.length === 1 || waited.length < 2) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(begun, ['first', 'small']);
    assert.deepEqual(waited, ['cancelled', 'second']);
    cancelled.abort(new Error('cancelled'));
    await left;
    ends[0]!();
    while (begun.length === 2) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(begun, ['first', 'small', 'second']);
    for (const end of ends) end();
    await Promise.all([first, second, small]);
  });

  it('must not be larger than 128 MiB, which is known before they are in memory', async () => {
    const part = Buffer.alloc(mib, ' ');
    let sent = 0;
    const endless = new Readable({
      read() {
        sent++;
        this.push(part);
      },
    });
    const reading = withChunks({ inputs: inputOf(() => endless), signal, progress }, () =>
      assert.fail('it was read'),
    );
    await assert.rejects(reading, (error) => {
      assert(error instanceof PluginFailure);
      assert.deepEqual([error.code, error.options.retryable], ['INVALID_INPUT', false]);
      assert.match(error.message, /128 MiB/);
      return true;
    });
    assert.ok(endless.destroyed);
    assert.ok(sent < 140);
  });

  it('must be a list of texts', async () => {
    for (const content of ['{"chunks": [{}]}', '[]', 'no JSON']) {
      const inputs = inputOf(() => Readable.from([Buffer.from(content)]));
      await assert.rejects(
        withChunks({ inputs, signal, progress }, () => assert.fail('it was read')),
        { code: 'INVALID_INPUT' },
      );
    }
  });
});
