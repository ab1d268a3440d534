import { createHash } from 'node:crypto';
import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../core/errors.js';
import type { StoredBytes } from './store-content.js';
import type { ObjectStore } from './types.js';

/** How many leading bytes the media type is detected from: enough to tell which kind of document a zip file is. */
const headBytes = 64 * 1024;

/** Bytes that may be buffered; with fewer, each chunk from the network waits for its own turn. */
const highWaterMark = 256 * 1024;

/** Size, hash and media type of a stored stream. */
export interface StoredStream extends StoredBytes {
  readonly media_type: string;
}

export interface StoreStreamOptions {
  /** Maximum size in bytes. */
  readonly maxBytes: number;
  /** The approximate size in bytes, if known: a buffer of this size is allocated. */
  readonly expected?: number | undefined;
  /** Detects the media type from the first 64 KiB, or from all bytes if there are fewer. */
  readonly detect: (head: Buffer) => Promise<string>;
  readonly signal?: AbortSignal | undefined;
}

/** Passes bytes on, counting and hashing them, and shows the first ones to `detect` before it lets any through. */
class Meter extends Transform {
  size = 0;
  readonly head: Promise<Buffer>;
  #showHead!: (head: Buffer) => void;
  readonly #hash = createHash('sha256');
  #digest: string | undefined;
  #held: Buffer[] | null = [];

  constructor(readonly maxBytes: number) {
    super({ highWaterMark });
    this.head = new Promise((resolve, reject) => {
      this.#showHead = resolve;
      this.once('error', reject);
      this.once('close', () => reject(new Error('The stream was closed before its beginning was read.')));
    });
    this.head.catch(() => undefined);
  }

  /** The hash of all bytes; call it after the last one. */
  sha256(): string {
    return (this.#digest ??= this.#hash.digest('hex'));
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length;
    if (this.size > this.maxBytes) {
      const limit = { limit_bytes: this.maxBytes };
      done(new ServiceError('PAYLOAD_TOO_LARGE', `More than ${this.maxBytes} bytes.`, limit));
      return;
    }
    this.#hash.update(chunk);
    if (this.#held === null) {
      done(null, chunk);
      return;
    }
    this.#held.push(chunk);
    if (this.size >= headBytes) this.#release();
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#release();
    done();
  }

  #release(): void {
    if (this.#held === null) return;
    const head = Buffer.concat(this.#held);
    this.#held = null;
    this.#showHead(head.subarray(0, headBytes));
    if (head.length > 0) this.push(head);
  }
}

/**
 * Stores a stream under a key, counting and hashing its bytes, using constant memory. Throws ServiceError
 * PAYLOAD_TOO_LARGE (`details.limit_bytes`), the errors of the store's `put`, and those of the stream; then nothing is
 * stored and the stream is destroyed.
 */
export async function storeStream(
  objectStore: ObjectStore,
  key: string,
  content: Readable,
  { maxBytes, expected, detect, signal }: StoreStreamOptions,
): Promise<StoredStream> {
  const meter = new Meter(maxBytes);
  const pumped = pipeline(content, meter, { signal });
  pumped.catch(() => undefined);
  try {
    const media_type = await detect(await meter.head);
    const sha256 = (): string => meter.sha256();
    await objectStore.put(key, meter, { mediaType: media_type, expected, sha256, signal });
    await pumped;
    return { size_bytes: meter.size, sha256: meter.sha256(), media_type };
  } catch (error) {
    meter.destroy();
    content.destroy();
    throw signal?.aborted ? signal.reason : error;
  }
}
