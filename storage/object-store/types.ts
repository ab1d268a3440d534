import type { Readable } from 'node:stream';

/** What is stored under a key. */
export interface StoredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: Date;
}

/** A part of an object: the first and the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface PutOptions {
  readonly mediaType?: string | undefined;
  /** About how many bytes a stream has, where that is known: memory is set aside for them. */
  readonly expected?: number | undefined;
  /** The hash of a stream, lower-case hex; asked for once it has ended. A store may have what it keeps checked against it. */
  readonly sha256?: (() => string) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where bytes are kept: uploaded sources and the content of artifacts. Keys are `/`-separated segments of
 * `[A-Za-z0-9._-]`, none of them `.` or `..`; no key is a folder of another one. An object is whole or absent: a
 * `put` that fails or is aborted leaves nothing new, and what stood under the key before stays.
 *
 * Every method throws ServiceError STORAGE_UNAVAILABLE when the store cannot be reached or refuses, a TypeError for
 * a key of another form, and the signal's reason once the signal aborts. A failure of the stream that `put` reads
 * is thrown as it is.
 */
export interface ObjectStore {
  /**
   * Stores what the stream or the buffer holds under the key, replacing what was there. Resolves with the bytes
   * written once they are safe. The stream is used up or destroyed, whatever happens.
   */
  put(key: string, content: Readable | Buffer, options?: PutOptions): Promise<{ readonly size: number }>;
  /**
   * Opens an object for reading; who stops reading early destroys the stream. A range that ends past the last byte
   * ends there. Throws ServiceError NOT_FOUND when there is no such object and RangeError when a range begins past
   * its last byte.
   */
  get(
    key: string,
    options?: { readonly range?: ByteRange; readonly signal?: AbortSignal },
  ): Promise<{ readonly stream: Readable; /** Bytes of the whole object. */ readonly size: number }>;
  /** Removes objects; those that are not there are no error. */
  delete(keys: readonly string[]): Promise<void>;
  /**
   * All objects whose key begins with the prefix, in an order of the store's own that stays the same; `after` a key:
   * those that come later in it, whether that object is still there or not.
   */
  list(prefix: string, options?: { readonly after?: string | undefined }): AsyncIterable<StoredObject>;
  /**
   * Removes unfinished uploads of killed processes that began before the given time; they never became
   * objects. Resolves with their number.
   */
  removeAbandoned(before: Date): Promise<number>;
  /** Resolves when the store can be used. */
  check(): Promise<void>;
  /** Lets go of connections. */
  close(): void;
}
