import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import type { SourceDocument } from './document.js';
import { fileFault } from './failures.js';

const maxEntries = 100_000;

/**
 * A zip file whose entries are unpacked one by one, as they are asked for. All that is unpacked is counted as it
 * comes out, whatever sizes the file claims: past the limit, reading throws ARCHIVE_TOO_LARGE.
 */
export class Archive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #maxUnpackedBytes: number;
  #unpackedBytes = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, maxUnpackedBytes: number) {
    this.#zip = zip;
    this.#entries = entries;
    this.#maxUnpackedBytes = maxUnpackedBytes;
  }

  static async open(source: SourceDocument['source'], maxUnpackedBytes: number): Promise<Archive> {
    if (source.fd === undefined) throw new Error('An archive is read from a file.');
    const zip = await fromFdPromise(source.fd, { lazyEntries: true, autoClose: false });
    if (zip.entryCount > maxEntries) {
      throw fileFault('ARCHIVE_TOO_LARGE', `The archive has more than ${maxEntries} entries`);
    }
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    return new Archive(zip, entries, maxUnpackedBytes);
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The bytes of an entry. Throws UNREADABLE_FILE when there is none of that name, ENCRYPTED_FILE when it is locked. */
  async stream(name: string): Promise<Readable> {
    const entry = this.#entries.get(name);
    if (!entry) throw fileFault('UNREADABLE_FILE', `The file lacks its part ${name}`);
    if (entry.isEncrypted()) throw fileFault('ENCRYPTED_FILE', 'The file is protected by a password');
    const unpacked = await this.#zip.openReadStreamPromise(entry);
    return Readable.from(this.#counted(unpacked), { objectMode: false });
  }

  async bytes(name: string): Promise<Buffer> {
    return buffer(await this.stream(name));
  }

  async text(name: string): Promise<string> {
    return new TextDecoder().decode(await this.bytes(name));
  }

  /** Unpacks entries and forgets them: for a reader that does not count for itself. */
  async check(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const unpacked = await this.stream(name);
      await finished(unpacked.resume());
    }
  }

  async *#counted(unpacked: Readable): AsyncGenerator<Buffer> {
    for await (const data of unpacked as AsyncIterable<Buffer>) {
      this.#unpackedBytes += data.length;
      if (this.#unpackedBytes > this.#maxUnpackedBytes) {
        throw fileFault(
          'ARCHIVE_TOO_LARGE',
          `The file unpacks to more than ${this.#maxUnpackedBytes} bytes`,
          {
            max_unpacked_bytes: this.#maxUnpackedBytes,
          },
        );
      }
      yield data;
    }
  }
}
