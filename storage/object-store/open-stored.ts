import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ServiceError } from '../../core/errors.js';
import { storageUnavailable } from './errors.js';
import type { ByteRange, ObjectStore } from './types.js';
import type { Unreadable } from './unreadable.js';

/** Contents up to this many bytes are read and verified completely before the first byte is returned. */
export const mostAtOnce = 64 * 1024;

/** A stored object as described by its row. */
export interface StoredContent {
  readonly object_key: string;
  readonly size_bytes: number;
  /** Lower-case hex; null if an older version stored it without one, and only its length is checked. */
  readonly sha256: string | null;
}

export interface OpenStoredOptions {
  readonly unreadable: Unreadable;
  /** Called before the reader sees the error when the object is missing or damaged. */
  readonly onUnreadable?: (error: ServiceError) => Promise<void>;
  /** A part of the object; its hash is unknown. */
  readonly range?: ByteRange;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens an object that a row refers to and verifies it: its length at once, its hash before the last byte is returned.
 * Resolves once the first bytes can be read. Content that does not match never ends normally: the promise rejects or,
 * above 64 KiB, the stream fails, with the error that `unreadable` creates. Throws STORAGE_UNAVAILABLE if the store is
 * unreachable or, see `guardStore`, belongs to another database, and the signal's reason.
 */
export async function openStored(
  objectStore: ObjectStore,
  content: StoredContent,
  { unreadable, onUnreadable = () => Promise.resolve(), range, signal }: OpenStoredOptions,
): Promise<Readable> {
  const refuse = async (error: ServiceError): Promise<ServiceError> => {
    await onUnreadable(error);
    return error;
  };
  // The key is only for the log.
  const about = new Error(`The object ${content.object_key} does not match its row.`);
  const damaged = (): Promise<ServiceError> => refuse(unreadable('damaged', about));
  const options = { range, signal };
  const opened = await objectStore.get(content.object_key, options).catch(async (error: unknown) => {
    // The object is shorter than its row says.
    if (error instanceof RangeError) throw await damaged();
    if (!(error instanceof ServiceError) || error.code !== 'NOT_FOUND') throw error;
    throw await refuse(unreadable('missing', error));
  });
  const { stream, size } = opened;
  if (size !== content.size_bytes) {
    stream.on('error', () => undefined).destroy();
    throw await damaged();
  }
  const part =
    range === undefined ? content : { size_bytes: Math.min(range.end + 1, size) - range.start, sha256: null };
  const checked = check(stream, part, damaged, signal);
  if (part.size_bytes > mostAtOnce) {
    // A store that fails before the first byte makes this promise reject, so that a response can still say so.
    if (checked.readableLength === 0) await once(checked, 'readable');
    return checked;
  }
  const bytes = await buffer(checked);
  return Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false });
}

/** Passes the bytes on; holds back the last piece until the hash of all bytes is known. */
function check(
  stream: Readable,
  { size_bytes, sha256 }: Pick<StoredContent, 'size_bytes' | 'sha256'>,
  damaged: () => Promise<ServiceError>,
  signal: AbortSignal | undefined,
): Readable {
  const hash = sha256 === null ? null : createHash('sha256');
  let left = size_bytes;
  const fail = (done: TransformCallback): void => void damaged().then(done, done);
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      hash?.update(chunk);
      if (left < 0 || (left === 0 && hash !== null && hash.digest('hex') !== sha256)) fail(done);
      else done(null, chunk);
    },
    flush(done) {
      if (left === 0) done();
      else done(storageUnavailable(new Error('The object ended early.')));
    },
  });
  const breakOff = (error: unknown): void => {
    checked.destroy(signal?.aborted ? (error as Error) : storageUnavailable(error));
  };
  stream.once('error', breakOff);
  stream.once('close', () => {
    if (!stream.readableEnded && !checked.destroyed) breakOff(new Error('The object was closed early.'));
  });
  checked.once('close', () => stream.destroy());
  // An error before the reader has attached must not crash the process.
  checked.on('error', () => undefined);
  return stream.pipe(checked);
}
