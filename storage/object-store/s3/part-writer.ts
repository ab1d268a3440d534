import { Writable } from 'node:stream';
import type { MultipartUpload } from './multipart-upload.js';
import type { PartMemory } from './part-memory.js';

/** Size of a part of a multipart upload. S3 allows 10,000 parts, so an object has at most 80 GB. */
const partSize = 8 * 1024 * 1024;
/** Initial buffer size for an object of unknown size. */
const firstBytes = 1024 * 1024;
/** Parts of one upload in flight at a time. Together with the one being filled they are the memory an upload uses. */
const partsAtOnce = 2;
/**
 * Bytes that may queue while all parts are in flight; with fewer, each chunk from the network would wait for its own
 * turn.
 */
const highWaterMark = 256 * 1024;

/** Uploads the bytes of an object, copying each once into the part being filled. */
export class PartWriter extends Writable {
  size = 0;
  /** The server's error, or null. */
  refusal: unknown = null;
  readonly #upload: MultipartUpload;
  readonly #memory: PartMemory;
  readonly #firstBytes: number;
  readonly #onTheirWay = new Set<Promise<void>>();
  #part: Buffer | undefined;
  #filled = 0;
  #count = 0;

  /** `expected`: the approximate number of bytes. */
  constructor(upload: MultipartUpload, memory: PartMemory, expected = firstBytes) {
    super({ highWaterMark });
    this.#upload = upload;
    this.#memory = memory;
    this.#firstBytes = Math.min(partSize, expected);
  }

  /** Resolves when no part is in flight. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#onTheirWay);
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const copied = chunk.copy(this.#partWithRoom(chunk.length), this.#filled);
    this.#filled += copied;
    this.size += copied;
    if (copied === chunk.length) done();
    // A full part is only sent once more data follows: an object that ends here is sent in one request.
    else this.#sendPart().then(() => this.#goOn(chunk.subarray(copied), encoding, done), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#finish().then(() => done(), done);
  }

  #goOn(rest: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // After a failure, data must not be sent any more: the upload may already be aborted.
    if (this.destroyed) done();
    else this._write(rest, encoding, done);
  }

  /** The part being filled. It has room for this many bytes, up to the size of a part. */
  #partWithRoom(bytes: number): Buffer {
    this.#part ??= this.#memory.take(this.#count === 0 ? this.#firstBytes : partSize);
    if (this.#part.length < Math.min(partSize, this.#filled + bytes)) {
      const larger = this.#memory.take(partSize);
      this.#part.copy(larger, 0, 0, this.#filled);
      this.#memory.giveBack(this.#part);
      this.#part = larger;
    }
    return this.#part;
  }

  async #finish(): Promise<void> {
    if (this.#count === 0) {
      await this.#sending((object) => this.#upload.put(object));
      return;
    }
    await this.#sendPart();
    await Promise.all(this.#onTheirWay);
    await this.#noting(this.#upload.complete());
  }

  /** Starts to send the filled part; resolves when there is room for the next one. */
  async #sendPart(): Promise<void> {
    const number = ++this.#count;
    const sent = this.#sending((part) => this.#upload.sendPart(number, part)).then(
      () => void this.#onTheirWay.delete(sent),
    );
    sent.catch((error: unknown) => this.destroy(error as Error));
    this.#onTheirWay.add(sent);
    if (this.#onTheirWay.size >= partsAtOnce) await Promise.race(this.#onTheirWay);
  }

  /** Sends the filled part. A buffer that a failed request may still be reading is not reused. */
  async #sending(send: (part: Buffer) => Promise<void>): Promise<void> {
    const part = this.#part;
    const filled = part?.subarray(0, this.#filled) ?? Buffer.alloc(0);
    this.#part = undefined;
    this.#filled = 0;
    await this.#noting(send(filled));
    if (part !== undefined) this.#memory.giveBack(part);
  }

  async #noting(request: Promise<void>): Promise<void> {
    try {
      await request;
    } catch (error) {
      this.refusal ??= error;
      throw error;
    }
  }
}
