import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ServiceError } from '../../../core/errors.js';
import type { ObjectStore } from '../../../storage/object-store/types.js';

export const mebibyte = 1024 * 1024;

export function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE' && error.cause !== undefined;
}

export async function read(
  store: ObjectStore,
  key: string,
  range?: { start: number; end: number },
): Promise<string> {
  const { stream } = await store.get(key, range ? { range } : {});
  return (await buffer(stream)).toString();
}

export async function keys(store: ObjectStore, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list(prefix)) found.push(key);
  return found.sort();
}

/** Returns a stream that repeats a chunk; endless unless a count is given. */
export function chunks(chunk: Buffer, count = Infinity): Readable {
  let left = count;
  return new Readable({
    read() {
      this.push(left-- > 0 ? chunk : null);
    },
  });
}

/** A store, and how to count its incomplete writes. */
export interface OpenedStore {
  readonly store: ObjectStore;
  readonly leftovers: () => Promise<number>;
}

/** Throws if there is an object under a key or an incomplete write. */
export async function assertHoldsNothing({ store, leftovers }: OpenedStore, key: string): Promise<void> {
  assert.deepEqual(await keys(store, key), []);
  assert.equal(await leftovers(), 0);
}
