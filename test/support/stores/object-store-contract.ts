import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ServiceError } from '../../../core/errors.js';
import type { ObjectStore } from '../../../storage/object-store/types.js';
import { assertHoldsNothing, chunks, keys, mebibyte, read, type OpenedStore } from './stored.js';
import { storesStreams } from './stored-streams-contract.js';

/**
 * Tests of the contract that both object stores fulfil.
 *
 * @param part The size at which a store treats a stream differently, in bytes
 */
export function behavesLikeAnObjectStore(part: number, open: () => OpenedStore): void {
  let opened: OpenedStore;
  let store: ObjectStore;
  before(() => ({ store } = opened = open()));
  const holdsNothing = (key: string): Promise<void> => assertHoldsNothing(opened, key);

  it('reports that it can be used', () => store.check());

  it('stores a buffer and a stream', async () => {
    assert.deepEqual(
      await store.put('kept/buffer', Buffer.from('as a buffer'), { mediaType: 'text/plain' }),
      { size: 11 },
    );
    assert.deepEqual(
      await store.put('kept/stream', Readable.from([Buffer.from('as '), Buffer.from('a stream')])),
      { size: 11 },
    );
    assert.equal(await read(store, 'kept/buffer'), 'as a buffer');
    assert.equal(await read(store, 'kept/stream'), 'as a stream');
    const { size, stream } = await store.get('kept/stream');
    stream.destroy();
    assert.equal(size, 11);
  });

  it('stores an object without bytes', async () => {
    assert.deepEqual(await store.put('empty/buffer', Buffer.alloc(0)), { size: 0 });
    assert.deepEqual(await store.put('empty/stream', Readable.from([])), { size: 0 });
    for (const key of ['empty/buffer', 'empty/stream']) {
      const { stream, size } = await store.get(key);
      assert.equal(size, 0);
      assert.equal((await buffer(stream)).length, 0);
    }
  });

  it('stores streams of any size, however wrong the estimate, concurrently and in sequence', async () => {
    const sizes = [1, 1_000_000, part - 1, part, part + 1, 2 * part + 12_345];
    const guesses = [undefined, 0, 50 * part];
    // Each round stores other bytes: those of an earlier one may still be there.
    const random = randomBytes(Math.max(...sizes) + guesses.length);
    for (const [round, expected] of guesses.entries()) {
      const end = random.length - round;
      await Promise.all(
        (expected === undefined ? sizes : [1_000_000, part + 1]).map(async (size) => {
          const content = random.subarray(end - size, end);
          const key = `guessed/${size}`;
          const pieces = Readable.from(
            Array.from({ length: Math.ceil(size / 60_001) }, (_, at) =>
              content.subarray(at * 60_001, (at + 1) * 60_001),
            ),
            { objectMode: false },
          );
          const sha256 = (): string => createHash('sha256').update(content).digest('hex');
          assert.deepEqual(await store.put(key, pieces, { expected, sha256 }), { size });
          assert(
            content.equals(await buffer((await store.get(key)).stream)),
            `${size} guessed as ${expected}`,
          );
        }),
      );
    }
  });

  it('replaces what was there', async () => {
    await store.put('replaced', Buffer.from('a longer first content'));
    await store.put('replaced', Buffer.from('second'));
    assert.equal(await read(store, 'replaced'), 'second');
    assert.deepEqual(await keys(store, 'replaced'), ['replaced']);
  });

  it('reads a part, with the size of the whole object', async () => {
    await store.put('ranged', Buffer.from('0123456789'));
    assert.equal(await read(store, 'ranged', { start: 0, end: 0 }), '0');
    assert.equal(await read(store, 'ranged', { start: 3, end: 5 }), '345');
    assert.equal(await read(store, 'ranged', { start: 8, end: 500 }), '89');
    const { size, stream } = await store.get('ranged', { range: { start: 2, end: 4 } });
    stream.destroy();
    assert.equal(size, 10);
  });

  it('rejects a range past the end, and invalid ranges', async () => {
    await store.put('ranged', Buffer.from('0123456789'));
    await assert.rejects(store.get('ranged', { range: { start: 10, end: 12 } }), RangeError);
    await assert.rejects(store.get('ranged', { range: { start: 4, end: 3 } }), RangeError);
    await assert.rejects(store.get('ranged', { range: { start: -1, end: 3 } }), RangeError);
  });

  it('has no object before one is put', async () => {
    for (const key of ['missing', 'missing/below', 'kept']) {
      await assert.rejects(
        store.get(key),
        (error) => error instanceof ServiceError && error.code === 'NOT_FOUND',
      );
    }
  });

  it('removes objects and ignores missing ones', async () => {
    await store.put('removed/a/1', Buffer.from('1'));
    await store.put('removed/a/2', Buffer.from('2'));
    await store.put('removed/b', Buffer.from('3'));
    await store.delete(['removed/a/1', 'removed/never', 'removed/a/2', 'nowhere/at/all']);
    assert.deepEqual(await keys(store, 'removed/'), ['removed/b']);
    await store.delete(['removed/b']);
    await store.delete([]);
    assert.deepEqual(await keys(store, 'removed/'), []);
  });

  it('lists by key prefix, with or without folders', async () => {
    const put = ['listed/ab/1', 'listed/abc', 'listed/abd/x/y', 'listed/b', 'listed-other'];
    for (const key of put) await store.put(key, Buffer.from(key));
    assert.deepEqual(await keys(store, 'listed/'), [
      'listed/ab/1',
      'listed/abc',
      'listed/abd/x/y',
      'listed/b',
    ]);
    assert.deepEqual(await keys(store, 'listed/ab'), ['listed/ab/1', 'listed/abc', 'listed/abd/x/y']);
    assert.deepEqual(await keys(store, 'listed/abd/x/'), ['listed/abd/x/y']);
    assert.deepEqual(await keys(store, 'nothing/here'), []);
    assert.ok((await keys(store, '')).includes('listed-other'));
    for await (const object of store.list('listed/abc')) {
      assert.equal(object.size, 10);
      assert.ok(Math.abs(object.lastModified.getTime() - Date.now()) < 60_000);
    }
  });

  for (const key of [
    '',
    '/',
    '/etc/passwd',
    '../up',
    'a/../../up',
    'a/..',
    'a//b',
    'a/',
    './a',
    'a\\b',
    'a\0b',
    'ä',
    'a b',
    'x'.repeat(1025),
  ]) {
    it(`refuses the key ${JSON.stringify(key.slice(0, 20))}`, async () => {
      await assert.rejects(store.put(key, Buffer.from('x')), TypeError);
      await assert.rejects(store.get(key), TypeError);
      await assert.rejects(store.delete([key]), TypeError);
    });
  }

  it('refuses to list outside the store', async () => {
    await assert.rejects(keys(store, '../'), TypeError);
    await assert.rejects(keys(store, '/'), TypeError);
  });

  it('leaves nothing, and the old object, if the stream fails midway', async () => {
    await store.put('failing/old', Buffer.from('old'));
    const failure = new Error('the source broke');
    for (const [key, before] of [
      ['failing/new', 10],
      ['failing/old', 10],
      ['failing/early', 0],
    ] as const) {
      let left = before;
      const stream = new Readable({
        read() {
          if (left-- > 0) this.push(Buffer.alloc(mebibyte));
          else this.destroy(failure);
        },
      });
      await assert.rejects(store.put(key, stream), failure);
    }
    assert.equal(await read(store, 'failing/old'), 'old');
    await holdsNothing('failing/new');
    await holdsNothing('failing/early');
  });

  it('leaves nothing if it is aborted in the middle of a put', async () => {
    const aborting = new AbortController();
    const reason = new Error('no longer wanted');
    let seen = 0;
    const stream = new Readable({
      read() {
        seen += mebibyte;
        // More than two parts.
        if (seen === 20 * mebibyte) aborting.abort(reason);
        this.push(Buffer.alloc(mebibyte));
      },
    });
    await assert.rejects(store.put('aborted/busy', stream, { signal: aborting.signal }), reason);
    assert.ok(stream.destroyed);
    await holdsNothing('aborted/');
  });

  it('stops at once when it is aborted while the stream is silent', async () => {
    const aborting = new AbortController();
    let given = false;
    const stream = new Readable({
      read() {
        if (given) this.emit('waited-for');
        else this.push(Buffer.alloc(10));
        given = true;
      },
    });
    const put = store.put('aborted/silent', stream, { signal: aborting.signal });
    await once(stream, 'waited-for');
    aborting.abort();
    await assert.rejects(put, { name: 'AbortError' });
    await holdsNothing('aborted/');
  });

  it('does not start if it is already aborted', async () => {
    const signal = AbortSignal.abort();
    const stream = chunks(Buffer.alloc(10));
    await assert.rejects(store.put('aborted/before', stream, { signal }), { name: 'AbortError' });
    await assert.rejects(store.put('aborted/before', Buffer.from('x'), { signal }), { name: 'AbortError' });
    await assert.rejects(store.get('kept/buffer', { signal }), { name: 'AbortError' });
    assert.ok(stream.destroyed);
    await holdsNothing('aborted/');
  });

  it('stops reading when it is aborted', async () => {
    await store.put('read/aborted', chunks(Buffer.alloc(mebibyte), 4));
    const aborting = new AbortController();
    const { stream } = await store.get('read/aborted', { signal: aborting.signal });
    aborting.abort();
    await assert.rejects(buffer(stream), { name: 'AbortError' });
  });

  it('gives readers the old content or the new, whole', async () => {
    const versions = ['a', 'b'].map((letter) => letter.repeat(200_000));
    await store.put('swapped', Buffer.from(versions[0]!));
    const writes = (async () => {
      for (let i = 0; i < 10; i++) await store.put('swapped', Buffer.from(versions[i % 2]!));
    })();
    for (let i = 0; i < 10; i++) assert.ok(versions.includes(await read(store, 'swapped')));
    await writes;
  });

  storesStreams(open);
}
