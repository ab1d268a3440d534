import type { Readable } from 'node:stream';

/** A stored object. */
export interface StoredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: Date;
}

/** A store in a folder, whose operations are short, may ignore the signal. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** A part of an object: the first and the last byte, inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface PutOptions extends Abortable {
  readonly mediaType?: string | undefined;
  /** The approximate size of a stream, if known: a buffer of this size is allocated. */
  readonly expected?: number | undefined;
  /**
   * Returns the hash of a stream, in lower-case hex; called once the stream has ended. A store may verify the stored
   * bytes against it.
   */
  readonly sha256?: (() => string) | undefined;
}

/**
 * Stores bytes: uploaded sources and the content of artifacts. Keys are `/`-separated segments of `[A-Za-z0-9._-]`,
 * none of them `.` or `..`; no key is a folder of another one. An object is whole or absent: a `put` that fails or is
 * aborted stores nothing and keeps the previous object under the key.
 *
 * Every method throws ServiceError STORAGE_UNAVAILABLE if the store is unreachable or rejects the request, a TypeError
 * for an invalid key, and the signal's reason once the signal aborts. An error of the stream that `put` reads is thrown
 * unchanged.
 */
export interface ObjectStore {
  readonly kind: 'folder' | 'bucket';
  /**
   * Stores a stream or a buffer under the key, replacing any previous object. Resolves with the number of bytes once
   * they are durable. The stream is always consumed or destroyed.
   */
  put(key: string, content: Readable | Buffer, options?: PutOptions): Promise<{ readonly size: number }>;
  /**
   * Opens an object for reading; a reader that stops early must destroy the stream. A range that ends past the last
   * byte is truncated. Throws ServiceError NOT_FOUND if there is no such object, and RangeError if a range starts past
   * its last byte.
   */
  get(
    key: string,
    options?: { readonly range?: ByteRange | undefined } & Abortable,
  ): Promise<{ readonly stream: Readable; /** Bytes of the whole object. */ readonly size: number }>;
  /** Removes objects; missing ones are ignored. */
  delete(keys: readonly string[], options?: Abortable): Promise<void>;
  /**
   * All objects whose key starts with the prefix, in a stable, store-specific order. With `after`, only those after
   * that key, whether or not that object still exists.
   */
  list(
    prefix: string,
    options?: { readonly after?: string | undefined } & Abortable,
  ): AsyncIterable<StoredObject>;
  /**
   * Removes unfinished uploads of killed processes to keys below `resources/` that began before the given time; they
   * never became objects. Resolves with their number.
   */
  removeAbandoned(before: Date, options?: Abortable): Promise<number>;
  /** Creates the folder of a new store; `put` does not, since an empty mount point looks the same. A bucket must exist. */
  create(): Promise<void>;
  /** Resolves if the store can be used. */
  check(options?: Abortable): Promise<void>;
  /** Closes connections. */
  close(): void;
}
