import { PassThrough, type Readable } from 'node:stream';
import type { StorageEngine } from 'multer';
import { validationFailed } from '../../core/errors.js';
import { detectMediaType } from '../../runtime/content/media-type.js';
import { storeStream, type StoredStream } from '../../storage/object-store/store-stream.js';
import type { ObjectStore } from '../../storage/object-store/types.js';
import { pointerTo, uploadErrorToServiceError } from './errors.js';

/** The only field that may hold a file. */
const fileField = 'file';

/** A file that was uploaded and stored. */
export interface UploadedFile extends StoredStream {
  /** Its key in the object store. */
  readonly key: string;
  /** The client's file name, without folders and control characters. */
  readonly original_name: string;
}

export interface UploadEngineOptions {
  readonly objectStore: ObjectStore;
  readonly maxUploadBytes: number;
  /** The Content-Length of the whole request, if given. */
  readonly requestBytes: number | undefined;
  /** Returns the object key for the file. Called once, when the file begins. */
  readonly keyFor: () => string;
  /** Aborts storing. */
  readonly signal: AbortSignal;
}

/** The storage engine of multer for one request. */
export interface UploadEngine extends StorageEngine {
  /** Accepts the first file in the right field and fails on any other. For multer's option `fileFilter`. */
  readonly accept: (
    request: unknown,
    file: { readonly fieldname: string },
    done: { (error: Error): void; (error: null, accepted: boolean): void },
  ) => void;
  /** Rejects as soon as the upload is refused or cannot be stored. Multer itself first reads the request to its end. */
  readonly failed: Promise<never>;
  /** Resolves to the file, or null without one, when the store is done with it. Rejects if it was not stored. */
  stored(): Promise<UploadedFile | null>;
}

/**
 * Wraps a part's stream in one that can be destroyed: if the part's own stream ends early, multer assumes a failed
 * request, and the parser waits until it is read.
 */
function shield(part: Readable): { readonly content: Readable; readonly brokenBy: () => unknown } {
  const content = new PassThrough();
  let broken: unknown;
  part.on('error', (error) => {
    broken = error;
    content.destroy(error);
  });
  content.on('close', () => part.resume());
  part.pipe(content);
  return { content, brokenBy: () => broken };
}

/**
 * Creates a multer storage engine that streams the file of one request into the object store, and determines its hash,
 * size and media type on the way. The promises reject with ServiceErrors (VALIDATION_FAILED, PAYLOAD_TOO_LARGE,
 * STORAGE_UNAVAILABLE) or with the request's error.
 */
export function createUploadEngine({
  objectStore,
  maxUploadBytes,
  requestBytes,
  keyFor,
  signal,
}: UploadEngineOptions): UploadEngine {
  let storing: Promise<UploadedFile> | null = null;
  let fail!: (error: unknown) => void;
  const failed = new Promise<never>((_resolve, reject) => (fail = reject));
  failed.catch(() => undefined);

  const refuse = (field: string, message: string): Error => {
    const error = validationFailed({ path: pointerTo(field), message });
    fail(error);
    return error;
  };

  return {
    failed,
    stored: () => storing ?? Promise.resolve(null),

    accept(_request, { fieldname }, done) {
      if (fieldname !== fileField) done(refuse(fieldname, 'is not a field for a file'));
      else if (storing) done(refuse(fieldname, 'contains more than one file'));
      else done(null, true);
    },

    _handleFile(_request, file, done) {
      const key = keyFor();
      const original_name = file.originalname.replace(/\p{Cc}/gu, '');
      const detect = (head: Buffer): Promise<string> =>
        detectMediaType(head, { fileName: original_name, declared: file.mimetype });
      const { content, brokenBy } = shield(file.stream);
      storing = storeStream(objectStore, key, content, {
        maxBytes: maxUploadBytes,
        expected: requestBytes,
        detect,
        signal,
      }).then((stored) => ({ key, original_name, ...stored }));
      storing.then(
        () => done(null, {}),
        (error: unknown) => {
          // An error of the request is the client's fault; any other is the store's or ours.
          fail(error === brokenBy() ? uploadErrorToServiceError(error) : error);
          done(error);
        },
      );
    },

    _removeFile(_request, _file, done) {
      // The receiver of the upload removes it, whatever the reason.
      done(null);
    },
  };
}
