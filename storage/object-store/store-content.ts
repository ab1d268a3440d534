import { createHash } from 'node:crypto';
import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../core/errors.js';
import type { ObjectStore } from './types.js';

export interface StoreContentOptions {
  /** Maximum size in bytes. */
  readonly maxBytes: number;
  /** Inspects the bytes as they pass and fails if the content is invalid. */
  readonly check?: Transform | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Size and hash of a stored content. */
export interface StoredBytes {
  readonly size_bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Passes bytes on up to a limit, and hashes them. */
class Limit extends Transform {
  readonly hash = createHash('sha256');
  #left: number;

  constructor(private readonly maxBytes: number) {
    super();
    this.#left = maxBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#left -= chunk.length;
    if (this.#left >= 0) {
      this.hash.update(chunk);
      done(null, chunk);
    } else {
      const limit = { limit_bytes: this.maxBytes };
      done(new ServiceError('PAYLOAD_TOO_LARGE', `An artifact has at most ${this.maxBytes} bytes.`, limit));
    }
  }
}

/**
 * Streams the content of an artifact to a key, using constant memory. Throws PAYLOAD_TOO_LARGE, the errors of `check`
 * and of the stream, and those of the store's `put`; then nothing is stored and the stream is destroyed.
 */
export async function storeContent(
  objectStore: ObjectStore,
  key: string,
  content: Readable,
  { maxBytes, check, signal }: StoreContentOptions,
): Promise<StoredBytes> {
  const limit = new Limit(maxBytes);
  const last = check ?? limit;
  const pumped = check ? pipeline(content, limit, check) : pipeline(content, limit);
  pumped.catch(() => undefined);
  try {
    const { size } = await objectStore.put(key, last, { signal });
    await pumped;
    return { size_bytes: size, sha256: limit.hash.digest('hex') };
  } catch (error) {
    last.destroy();
    content.destroy();
    if (signal?.aborted) throw signal.reason;
    throw error;
  }
}
