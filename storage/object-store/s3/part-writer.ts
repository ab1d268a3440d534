import { Writable } from 'node:stream';
import type { MultipartUpload } from './multipart-upload.js';
import type { PartMemory } from './part-memory.js';

/** Bytes of a part of a multipart upload. S3 takes 10,000 parts, so an object has at most 80 GB. */
const partSize = 8 * 1024 * 1024;
/** Bytes that are set aside at first for an object of unknown size. */
const firstBytes = 1024 * 1024;
/** Parts of one upload on their way at a time: with the one being filled, what an upload holds in memory. */
const partsAtOnce = 2;
/** Bytes that may wait while all parts are on their way; with less, each piece from the network would wait for a turn of its own. */
const highWaterMark = 256 * 1024;

/** Takes the bytes of an object, each copied once into the part that is being filled, and uploads them. */
export class PartWriter extends Writable {
  size = 0;
  /** What the server failed with, or null. */
  refusal: unknown = null;
  readonly #upload: MultipartUpload;
  readonly #memory: PartMemory;
  readonly #firstBytes: number;
  readonly #onTheirWay = new Set<Promise<void>>();
  #part: Buffer | undefined;
  #filled = 0;
  #count = 0;

  /** `expected`: about how many bytes will come. */
  constructor(upload: MultipartUpload, memory: PartMemory, expected = firstBytes) {
    super({ highWaterMark });
    this.#upload = upload;
    this.#memory = memory;
    this.#firstBytes = Math.min(partSize, expected);
  }

  /** Resolves when nothing is on its way any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#onTheirWay);
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const copied = chunk.copy(this.#partWithRoom(chunk.length), this.#filled);
    this.#filled += copied;
    this.size += copied;
    if (copied === chunk.length) done();
    // A full part waits for what is behind it: an object that ends here is put in one request.
    else this.#sendPart().then(() => this.#goOn(chunk.subarray(copied), encoding, done), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#finish().then(() => done(), done);
  }

  #goOn(rest: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // What comes after it broke off would be sent when the upload is withdrawn already.
    if (this.destroyed) done();
    else this._write(rest, encoding, done);
  }

  /** The part that is being filled. It has room for so many bytes, unless they are more than fit a part. */
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

  /** Begins to send what was filled, and resolves when there is room for the next part. */
  async #sendPart(): Promise<void> {
    const number = ++this.#count;
    const sent = this.#sending((part) => this.#upload.sendPart(number, part)).then(
      () => void this.#onTheirWay.delete(sent),
    );
    sent.catch((error: unknown) => this.destroy(error as Error));
    this.#onTheirWay.add(sent);
    if (this.#onTheirWay.size >= partsAtOnce) await Promise.race(this.#onTheirWay);
  }

  /** Sends what was filled. What a failed request may still read is not used again. */
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
