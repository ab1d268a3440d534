import { PassThrough, type Readable } from 'node:stream';
import type { StorageEngine } from 'multer';
import { validationFailed } from '../../core/errors.js';
import { detectMediaType } from '../../runtime/content/media-type.js';
import { storeStream, type StoredStream } from '../../storage/object-store/store-stream.js';
import type { ObjectStore } from '../../storage/object-store/types.js';
import { pointerTo, uploadErrorToServiceError } from './errors.js';

/** The one field that holds a file. */
const fileField = 'file';

/** A file that was uploaded and stored. */
export interface UploadedFile extends StoredStream {
  /** Its key in the object store. */
  readonly key: string;
  /** As the client calls it, without folders and control characters. */
  readonly original_name: string;
}

export interface UploadEngineOptions {
  readonly objectStore: ObjectStore;
  readonly maxUploadBytes: number;
  /** Bytes of the whole request, where it says so. */
  readonly requestBytes: number | undefined;
  /** The key to store the file under; asked for once, when the file begins. */
  readonly keyFor: () => string;
  /** Ends what is being stored. */
  readonly signal: AbortSignal;
}

/** Where multer puts the file of one request. */
export interface UploadEngine extends StorageEngine {
  /** Accepts the first file in the right field and fails at any other. For multer's option `fileFilter`. */
  readonly accept: (
    request: unknown,
    file: { readonly fieldname: string },
    done: { (error: Error): void; (error: null, accepted: boolean): void },
  ) => void;
  /**
   * Rejects as soon as the upload is refused or cannot be stored, which is before multer is through: multer reads the
   * request to its end first.
   */
  readonly failed: Promise<never>;
  /** What became of the file: null without one. Rejects when it was not stored. Never before the store is done with it. */
  stored(): Promise<UploadedFile | null>;
}

/**
 * A stream that can be destroyed in place of the part's own: multer mistakes the early end of that one for a
 * failed request, and the parser waits until it is read.
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
 * A storage engine of multer that streams the file of one request into the object store, hashing, counting and
 * telling the media type on the way. The promises reject with ServiceErrors (VALIDATION_FAILED, PAYLOAD_TOO_LARGE,
 * STORAGE_UNAVAILABLE), or with what the request failed with.
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
          // What the request failed with is the client's doing; anything else is the store's or ours.
          fail(error === brokenBy() ? uploadErrorToServiceError(error) : error);
          done(error);
        },
      );
    },

    _removeFile(_request, _file, done) {
      // The receiver of the upload removes it, in the same way for every reason.
      done(null);
    },
  };
}
