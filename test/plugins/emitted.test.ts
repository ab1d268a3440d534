import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { runPlugin } from '@knowledge-warehouse/plugin/testing';
import { createEmitted } from '../../packages/plugin/src/workers/attempt/emitted.js';
import { silent } from './support/probe.js';

describe('the artifacts that a worker reports', () => {
  const lost: unknown[] = [];
  const never = (): never => assert.fail('this request is not expected');
  const callback = {
    ...{ report: never, tell: never, read: never },
    upload: async (_: unknown, content: Buffer | Readable): Promise<string> => {
      for await (const part of content) void part;
      return 'upload-1';
    },
  };
  const start = (): ReturnType<typeof createEmitted> =>
    createEmitted(callback, new AbortController().signal, {
      ...silent,
      error: (fields) => void lost.push(fields),
    });
  const text = (content: unknown, type = 'text'): any => ({ type, content_type: 'text', content });
  const broken = (): Readable =>
    new Readable({
      read() {
        this.destroy(new Error('the disk is gone'));
      },
    });

  it('are complete although the plugin does not await them', async () => {
    const emitted = start();
    void emitted.emit(text(Readable.from(['a']), 'streamed'));
    void emitted.emit(text('b'));
    assert.deepEqual(await emitted.report(), {
      status: 'SUCCESS',
      artifacts: [
        { type: 'streamed', content_type: 'text', upload_id: 'upload-1' },
        { type: 'text', content_type: 'text', content: 'b' },
      ],
    });
  });

  for (const [what, content, message] of [
    ['an artifact that breaks the rules', 42, /text/],
    ['a stream that fails', broken(), /the disk is gone/],
  ] as const)
    it(`fail the step because of ${what} that the plugin does not await`, async () => {
      const emitted = start();
      void emitted.emit(text(content));
      // Long enough for the failure to be over when `run` returns.
      await new Promise((resolve) => setImmediate(resolve));
      await assert.rejects(emitted.report(), message);
    });

  it('may replace what was refused', async () => {
    const emitted = start();
    await assert.rejects(emitted.emit(text(broken())), /the disk is gone/);
    await assert.rejects(emitted.emit({ type: 'facts', content_type: 'json', content: { a: 10n } }));
    await emitted.emit(text('instead'));
    assert.deepEqual((await emitted.report()).artifacts, [
      { type: 'text', content_type: 'text', content: 'instead' },
    ]);
  });

  it('do not include a second one of a type', async () => {
    const emitted = start();
    await emitted.emit(text('first'));
    await assert.rejects(emitted.emit(text('second')), /two artifacts text/);
    assert.equal((await emitted.report()).artifacts?.length, 1);
  });

  it('are logged if they come after the report', async () => {
    const emitted = start();
    await emitted.report();
    await emitted.emit(text('late', 'late'));
    assert.deepEqual(lost, [{ artifact: 'late' }]);
  });

  it('are complete in runPlugin too, which refuses what comes after `run`', async () => {
    let emitLater = (): unknown => assert.fail('the plugin did not run');
    const plugin = definePlugin({
      ...{ id: 'hasty', name: 'Hasty', version: '1.0.0', produces: ['streamed', 'late'] },
      run(ctx) {
        void ctx.emit(text(Readable.from(['a']), 'streamed'));
        emitLater = () => ctx.emit(text('late', 'late'));
        return Promise.resolve();
      },
    });
    const { artifacts } = await runPlugin(plugin);
    assert.equal(artifacts.get('streamed')?.content, 'a');
    assert.throws(emitLater, /late was emitted after run had returned/);
  });
});
