import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceError } from '../../../core/errors.js';
import { storeStream } from '../../../storage/object-store/store-stream.js';
import type { ObjectStore } from '../../../storage/object-store/types.js';
import { assertHoldsNothing, chunks, mebibyte, type OpenedStore } from './stored.js';

/** A large content is this many times a chunk. */
const times = 480;
const chunk = randomBytes(mebibyte / 4);
let sha256OfLarge = '';

/** Tests of the contract of `storeStream` on each store. */
export function storesStreams(open: () => OpenedStore): void {
  let opened: OpenedStore;
  let store: ObjectStore;
  before(() => ({ store } = opened = open()));
  const holdsNothing = (key: string): Promise<void> => assertHoldsNothing(opened, key);

  it('stores 120 MiB with constant memory', async () => {
    sha256OfLarge ||= hashOfLarge();
    const start = process.memoryUsage().rss;
    let peak = start;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    try {
      const stored = await storeStream(store, 'large', chunks(chunk, times), {
        maxBytes: 120 * mebibyte,
        detect: () => Promise.resolve('application/octet-stream'),
      });
      assert.equal(stored.size_bytes, 120 * mebibyte);
      assert.equal(stored.sha256, sha256OfLarge);
      assert.ok(await isLarge((await store.get('large')).stream));
    } finally {
      clearInterval(watch);
      await store.delete(['large']);
    }
    assert.ok(peak - start < 90 * mebibyte, `memory grew by ${Math.round((peak - start) / mebibyte)} MiB`);
  });

  it('passes on the error of a stream while it is stored and inspected', async () => {
    const failure = new Error('the source broke');
    for (const before of [0, 1, 10]) {
      let left = before;
      const stream = new Readable({
        read() {
          if (left-- > 0) this.push(Buffer.alloc(mebibyte));
          else this.destroy(failure);
        },
      });
      const stored = storeStream(store, 'broken', stream, {
        maxBytes: 50 * mebibyte,
        detect: () => Promise.resolve('text/plain'),
      });
      await assert.rejects(stored, (error) => error === failure);
      await holdsNothing('broken');
    }
  });

  it('rejects a stream with more bytes than allowed, and stores nothing of it', async () => {
    const stream = chunks(Buffer.alloc(100_000));
    const stored = storeStream(store, 'too-large', stream, {
      maxBytes: 9 * mebibyte,
      detect: () => Promise.resolve('text/plain'),
    });
    await assert.rejects(stored, (error) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.code, 'PAYLOAD_TOO_LARGE');
      assert.deepEqual(error.details, { limit_bytes: 9 * mebibyte });
      return true;
    });
    assert.ok(stream.destroyed);
    await holdsNothing('too-large');
  });
}

function hashOfLarge(): string {
  const hash = createHash('sha256');
  for (let i = 0; i < times; i++) hash.update(chunk);
  return hash.digest('hex');
}

async function isLarge(stream: Readable): Promise<boolean> {
  let at = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    for (let done = 0; done < part.length;) {
      const from = at % chunk.length;
      const length = Math.min(part.length - done, chunk.length - from);
      if (part.compare(chunk, from, from + length, done, done + length) !== 0) return false;
      done += length;
      at += length;
    }
  }
  return at === times * chunk.length;
}
