import { isAscii, isUtf8 } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import { fromBufferPromise, fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import { PluginFailure } from '@knowledge-warehouse/plugin/protocol';
import { isOutOfMemory, type ByteSource } from '../../host/child-task.js';
import { fileFault } from '../failures.js';

const maxEntries = 100_000;

/** Files up to this size are read into memory, which avoids a system call for each directory entry. */
const smallFileBytes = 16 * 1024 * 1024;
/** Entries with a declared size up to this are unpacked at once, limited to that size. */
const smallEntryBytes = 1024 * 1024;

/** ZIP compression methods: none, and the only one in common use. */
const [stored, deflated] = [0, 8];

export interface ArchiveSource extends ByteSource {
  readonly fd?: number;
}

/** What an archive and those in it come to together. */
interface Contents {
  entries: number;
  unpackedBytes: number;
}

export type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * A zip file whose entries are unpacked on demand. Unpacked bytes are counted as they are produced, regardless of the
 * declared sizes. Above the limit, reading throws ARCHIVE_TOO_LARGE.
 */
export class Archive {
  readonly #zip: ZipFile;
  readonly #source: ArchiveSource;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** The names of the entries, by their folded form. */
  readonly #spellings = new Map<string, string>();
  readonly #maxUnpackedBytes: number;
  readonly #contents: Contents;

  private constructor(
    zip: ZipFile,
    source: ArchiveSource,
    entries: ReadonlyMap<string, Entry>,
    maxUnpackedBytes: number,
    contents: Contents,
  ) {
    this.#zip = zip;
    this.#source = source;
    this.#entries = entries;
    for (const name of entries.keys()) this.#spellings.set(folded(name), name);
    this.#maxUnpackedBytes = maxUnpackedBytes;
    this.#contents = contents;
  }

  /** Throws UNREADABLE_FILE if the file is not a complete archive, and ARCHIVE_TOO_LARGE if it has too many entries. */
  static async open(
    source: ArchiveSource,
    maxUnpackedBytes: number,
    contents: Contents = { entries: 0, unpackedBytes: 0 },
  ): Promise<Archive> {
    try {
      const zip = await openZip(source);
      return new Archive(zip, source, await entriesOf(zip, contents), maxUnpackedBytes, contents);
    } catch (error) {
      if (error instanceof PluginFailure || isOutOfMemory(error)) throw error;
      throw fileFault(
        'UNREADABLE_FILE',
        'The file is damaged or incomplete: its list of parts is unreadable',
      );
    }
  }

  /** Opens an archive that was an entry of this one. The limits apply to both together. */
  nested(bytes: Buffer): Promise<Archive> {
    const source = {
      sizeBytes: bytes.length,
      read: (position: number, length: number) => bytes.subarray(position, position + length),
    };
    return Archive.open(source, this.#maxUnpackedBytes, this.#contents);
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  /**
   * Returns an entry's name as the archive spells it. The parts of an OOXML file may be named in any case (ECMA-376 part
   * 2, 6.2.2), so that this, and not the name in a reference, tells whether two references are to the same part.
   */
  find(name: string): string | undefined {
    return this.#entries.has(name) ? name : this.#spellings.get(folded(name));
  }

  /** The content of an entry. Throws UNREADABLE_FILE if there is none, and ENCRYPTED_FILE if it is encrypted. */
  async pieces(name: string): Promise<Pieces> {
    const entry = this.#entries.get(this.find(name) ?? name);
    if (!entry) throw fileFault('UNREADABLE_FILE', `The file has no part ${name}`);
    if (entry.isEncrypted()) throw fileFault('ENCRYPTED_FILE', 'The file is protected by a password');
    if (Math.max(entry.compressedSize, entry.uncompressedSize) <= smallEntryBytes) {
      return [await this.#unpackAtOnce(entry)];
    }
    return this.#unpack(entry);
  }

  async bytes(name: string): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of await this.pieces(name)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async text(name: string): Promise<string> {
    return new TextDecoder().decode(await this.bytes(name));
  }

  /** Takes a tenth of the time that a stream takes. */
  async #unpackAtOnce(entry: Entry): Promise<Buffer> {
    const { compressedSize, compressionMethod, uncompressedSize } = entry;
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const packed = this.#source.read(fileDataStart, compressedSize);
    if (compressionMethod !== stored && compressionMethod !== deflated) {
      throw new Error(`Its part ${entry.fileName} is compressed in an unknown way`);
    }
    const bytes =
      compressionMethod === stored
        ? packed
        : inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) });
    if (bytes.length !== uncompressedSize) {
      throw new Error(`Its part ${entry.fileName} does not have its declared size`);
    }
    this.#count(bytes);
    return bytes;
  }

  async *#unpack(entry: Entry): AsyncGenerator<Buffer> {
    const unpacked = await this.#zip.openReadStreamPromise(entry);
    for await (const data of unpacked as AsyncIterable<Buffer>) {
      this.#count(data);
      yield data;
    }
  }

  #count(data: Buffer): void {
    this.#contents.unpackedBytes += data.length;
    if (this.#contents.unpackedBytes <= this.#maxUnpackedBytes) return;
    throw fileFault('ARCHIVE_TOO_LARGE', `The file unpacks to more than ${this.#maxUnpackedBytes} bytes`, {
      max_unpacked_bytes: this.#maxUnpackedBytes,
    });
  }
}

/** No real path is longer. The time to normalize a run of accents grows with the square of its length. */
const longestToNormalize = 1000;

/** Ignores case, and how accents are written: some systems separate them from their letters. */
function folded(name: string): string {
  return (name.length > longestToNormalize ? name : name.normalize()).toLowerCase();
}

/** Many programs write names in UTF-8 without saying so, and yauzl takes them for code page 437. */
function nameOf({ fileName, fileNameRaw }: Entry): string {
  const isUnmarked = isUtf8(fileNameRaw) && !isAscii(fileNameRaw);
  return isUnmarked ? fileNameRaw.toString().replaceAll('\\', '/') : fileName;
}

async function entriesOf(zip: ZipFile, contents: Contents): Promise<ReadonlyMap<string, Entry>> {
  contents.entries += zip.entryCount;
  if (contents.entries > maxEntries) {
    throw fileFault('ARCHIVE_TOO_LARGE', `The archive has more than ${maxEntries} entries`);
  }
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(nameOf(entry), entry);
  return entries;
}

async function openZip(source: ArchiveSource): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false };
  if (source.fd === undefined || source.sizeBytes <= smallFileBytes) {
    return fromBufferPromise(withoutRest(source.read(0, source.sizeBytes)), options);
  }
  return fromFdPromise(source.fd, options);
}

/** The end of the directory (APPNOTE.TXT, 4.3.16): a signature, 16 bytes, and a comment with its length. */
const endRecord = { signature: Buffer.from('PK\x05\x06', 'latin1'), commentAt: 20, length: 22 };

/** Drops what follows the archive: zeros or a line end, which some systems add when they copy or recover a file. */
function withoutRest(bytes: Buffer): Buffer {
  const record = bytes.lastIndexOf(endRecord.signature);
  if (record < 0 || record + endRecord.length > bytes.length) return bytes;
  return bytes.subarray(0, record + endRecord.length + bytes.readUInt16LE(record + endRecord.commentAt));
}
