import { createHash } from 'node:crypto';
import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../core/errors.js';
import type { ObjectStore } from './types.js';

/** Bytes from the beginning that a media type is told from: enough to see what kind of document a zip file is. */
const headBytes = 64 * 1024;

/** Bytes that may wait on their way: with less, each piece from the network waits for a turn of its own. */
const highWaterMark = 256 * 1024;

/** What is known of bytes once they are stored. */
export interface StoredStream {
  readonly size_bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly media_type: string;
}

export interface StoreStreamOptions {
  /** More bytes than this are refused. */
  readonly maxBytes: number;
  /** About how many bytes there are, where that is known: memory is set aside for them. */
  readonly expected?: number | undefined;
  /** Tells the media type from the first bytes: 64 KiB, or all there are. */
  readonly detect: (head: Buffer) => Promise<string>;
  readonly signal?: AbortSignal | undefined;
}

/** Passes bytes on, counting and hashing them, and shows the first ones before it lets any through. */
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

  /** Of all bytes, once the last one has come. */
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
 * Stores a stream under a key, counting and hashing on the way; memory stays flat. Throws ServiceError
 * PAYLOAD_TOO_LARGE (`details.limit_bytes`), what `put` of the store throws, and what the stream fails with; then
 * nothing is stored and the stream is destroyed.
 */
export async function storeStream(
  objectStore: ObjectStore,
  key: string,
  content: Readable,
  { maxBytes, expected, detect, signal }: StoreStreamOptions,
): Promise<StoredStream> {
  const meter = new Meter(maxBytes);
  const pumped = pipeline(content, meter, signal ? { signal } : {});
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
