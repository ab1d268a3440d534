import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
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
  const circular: Record<string, unknown> = {};
  circular['itself'] = circular;
  const nested = (levels: number): object => {
    let tree = {};
    for (let level = 1; level < levels; level++) tree = { child: tree };
    return tree;
  };
  /** Short, although its JSON has `2 ** levels` parts. */
  const doubled = (levels: number): object => {
    let tree: object = {};
    for (let level = 1; level < levels; level++) tree = [tree, tree];
    return tree;
  };
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
    assert.deepEqual(await emitted.complete(), [
      { type: 'streamed', content_type: 'text', upload_id: 'upload-1' },
      { type: 'text', content_type: 'text', content: 'b' },
    ]);
  });

  it('may be a text whose JSON is longer than a string can be', async () => {
    const uploading = { ...callback, upload: () => Promise.resolve('upload-1') };
    const emitted = createEmitted(uploading, new AbortController().signal, silent);
    // As JSON, each character has six.
    await emitted.emit(text('\0'.repeat(90 * 1024 * 1024)));
    const expected = { type: 'text', content_type: 'text', upload_id: 'upload-1' };
    assert.deepEqual(await emitted.complete(), [expected]);
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
      await assert.rejects(emitted.complete(), message);
    });

  it('may replace what was refused', async () => {
    const emitted = start();
    await assert.rejects(emitted.emit(text(broken())), /the disk is gone/);
    await assert.rejects(emitted.emit({ type: 'facts', content_type: 'json', content: { a: 10n } }));
    await emitted.emit(text('instead'));
    assert.deepEqual(await emitted.complete(), [{ type: 'text', content_type: 'text', content: 'instead' }]);
  });

  it('fail the step because of a stream that fails before it is read, and leave none open', async () => {
    const late = {
      ...callback,
      async upload(_: unknown, content: Buffer | Readable): Promise<string> {
        await new Promise((resolve) => setImmediate(resolve));
        return await callback.upload(_, content);
      },
    };
    const emitted = createEmitted(late, new AbortController().signal, silent);
    const stream = broken();
    stream.destroy(new Error('the disk is gone'));
    await assert.rejects(emitted.emit(text(stream)), /the disk is gone/);
    await emitted.emit(text('first'));
    const refused = Readable.from(['second']);
    await assert.rejects(emitted.emit(text(refused)), /two artifacts text/);
    assert.ok(refused.destroyed);
  });

  it('do not include a second one of a type', async () => {
    const emitted = start();
    await emitted.emit(text('first'));
    await assert.rejects(emitted.emit(text('second')), /two artifacts text/);
    assert.equal((await emitted.complete()).length, 1);
  });

  for (const [value, message] of [
    [{ rows: [1, NaN] }, '/content/rows/1 is NaN, which JSON cannot represent'],
    [{ 'a/b': new Map([['key', 1]]) }, '/content/a~1b is a Map, which JSON cannot represent'],
    [{ text: Promise.resolve('forgotten await') }, '/content/text is a Promise, which'],
    [{ numbers: new Int32Array(2) }, '/content/numbers is an Int32Array, which'],
    [new Float32Array(2) as never, '/content is a Float32Array, which JSON cannot represent'],
    [{ list: ['a', undefined] }, '/content/list/1 is undefined, which'],
    [{ at: new Date(NaN) }, '/content/at is an invalid date, which'],
    [{ ids: [10n] }, '/content/ids/0 is a bigint, which'],
    [{ ids: [10n], circular }, '/content/ids/0 is a bigint, which'],
    [{ ids: [10n], shared: doubled(24) }, '/content/ids/0 is a bigint, which'],
    [{ tree: nested(64) }, '/content is nested deeper than 64 levels'],
    [nested(100_000), '/content is nested deeper than 64 levels'],
  ] as const)
    it(`are not changed silently: ${message}`, async () => {
      const plugin = definePlugin({
        ...{ id: 'changed', name: 'Changed', version: '1.0.0', produces: ['facts'] },
        run: (ctx) => ctx.emit({ type: 'facts', content_type: 'json', content: value }),
      });
      const expected = { code: 'INVALID_RESULT', message: new RegExp(message.replaceAll('/', '\\/')) };
      await assert.rejects(runPlugin(plugin), expected);
    }).timeout(10_000);

  for (const [what, artifact, message] of [
    ['nothing', null, /it must be an object/],
    ['content that is null', { type: 'facts', content_type: 'json', content: null }, /content/],
    ['circular metadata', { ...text('a'), metadata: circular }, /circular/],
    ['circular content', { type: 'facts', content_type: 'json', content: circular }, /circular/],
    [
      'content that throws',
      {
        type: 'facts',
        content_type: 'json',
        content: {
          nested: {
            get value() {
              throw new Error('boom');
            },
          },
        },
      },
      /artifact facts: boom/,
    ],
    [
      'content beside an upload',
      { ...text('a'), upload_id: 'upload-1' },
      /has two keys of which only one is allowed/,
    ],
    ['a bigint in metadata', { ...text('a'), metadata: { id: 1n } }, /\/metadata\/id is a bigint, which/],
    ['a text that is a promise', text(Promise.resolve('a')), /\/content is a Promise, but must be string/],
    [
      'bytes as a vector',
      { type: 'v', content_type: 'vector', content: [Buffer.of(1)] },
      /\/content\/0 is a Buffer, but must be number/,
    ],
    ['a stream of numbers', text(Readable.from([1, 2])), /strings or bytes, not 1/],
    [
      'a stream that is no JSON object',
      { type: 'v', content_type: 'json', content: Readable.from(['[1]']) },
      /object/,
    ],
    ['a stream that is not UTF-8', text(Readable.from([Buffer.of(255)])), /not accepted/],
  ] as const)
    it(`are refused with INVALID_RESULT: ${what}`, async () => {
      const plugin = definePlugin({
        ...{ id: 'invalid', name: 'Invalid', version: '1.0.0', produces: ['facts'] },
        run: (ctx) => ctx.emit(artifact as never),
      });
      await assert.rejects(runPlugin(plugin), { code: 'INVALID_RESULT', message });
    });

  it('may be vectors in typed arrays', async () => {
    const emitted = start();
    const one = new Float32Array([0.1, -2]);
    await emitted.emit({ type: 'one', content_type: 'vector', content: one });
    await emitted.emit({
      type: 'rows',
      content_type: 'vector',
      content: [one, new Float64Array([0.1, 1]), [3, 4]],
    });
    const foreign = runInNewContext('new Float32Array([1])') as Float32Array;
    await emitted.emit({ type: 'foreign', content_type: 'vector', content: foreign });
    const nan = { type: 'nan', content_type: 'vector', content: new Float32Array([NaN]) } as const;
    await assert.rejects(emitted.emit(nan), /finite numbers/);
    assert.deepEqual(
      (await emitted.complete()).map((artifact) => 'content' in artifact && artifact.content),
      [
        [Math.fround(0.1), -2],
        [
          [Math.fround(0.1), -2],
          [0.1, 1],
          [3, 4],
        ],
        [1],
      ],
    );
  });

  it('may be nested in 64 levels', async () => {
    const emitted = start();
    await emitted.emit({ type: 'tree', content_type: 'json', content: nested(64) });
    assert.equal((await emitted.complete()).length, 1);
  });

  it('may hold dates, absent properties and classes with fields', async () => {
    const plugin = definePlugin({
      ...{ id: 'valid', name: 'Valid', version: '1.0.0', produces: ['facts'] },
      run: async (ctx) => {
        const content = {
          at: new Date(0),
          missing: undefined,
          url: new URL('http://a/'),
          empty: {},
          none: null,
        };
        await ctx.emit({ type: 'facts', content_type: 'json', content, metadata: { absent: undefined } });
      },
    });
    const { artifacts } = await runPlugin(plugin);
    const content = { at: '1970-01-01T00:00:00.000Z', url: 'http://a/', empty: {}, none: null };
    assert.deepEqual(artifacts.get('facts')?.content, content);
  });

  it('are logged if they come after the report', async () => {
    const emitted = start();
    await emitted.complete();
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
    assert.throws(emitLater, /late was emitted after run\(\) had returned/);
  });
});
