import type { IncomingMessage } from 'node:http';
import koaMulter from '@koa/multer';
import type { Context } from 'koa';
import type { Options as MulterOptions } from 'multer';
import { ServiceError, validationFailed } from '../../core/errors.js';
import type { ObjectStore } from '../../storage/object-store/types.js';
import { createUploadEngine, type UploadedFile } from './engine.js';
import { pointerTo, uploadErrorToServiceError } from './errors.js';

/** Limits on the fields next to the file: an upload has three short ones. */
const limits = {
  fields: 20,
  fieldSize: 64 * 1024,
  fieldNameSize: 100,
  fieldNestingDepth: 0,
  parts: 30,
  headerPairs: 50,
};

/** Bytes that a body may have in addition to its file before it is refused unread. */
const overhead = 2 * 1024 * 1024;

/** The content of a multipart request. The file is already in the object store. */
export interface ReceivedUpload {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: UploadedFile | null;
  /** Removes the file of a request that is rejected later. Never rejects; may be called again. */
  discard(): Promise<void>;
}

export interface ReceiveUploadOptions {
  readonly objectStore: ObjectStore;
  readonly maxUploadBytes: number;
  /** Returns a new object key on each call. */
  readonly keyFor: () => string;
  /** Called for a refused file that could not be removed, so that its object remains. */
  readonly onLeftover: (key: string, error: unknown) => void;
}

function assertSize(ctx: Context, maxUploadBytes: number): void {
  if (Number(ctx.get('content-length')) > maxUploadBytes + overhead) {
    throw new ServiceError('PAYLOAD_TOO_LARGE', `The upload has more than ${maxUploadBytes} bytes.`, {
      limit_bytes: maxUploadBytes,
    });
  }
}

/** Throws MALFORMED_BODY if the sender has disconnected: multer only starts to listen now and would wait forever. */
function assertStillThere(request: IncomingMessage): void {
  if (!request.readable) throw uploadErrorToServiceError(new Error('Request aborted'));
}

/** Returns multer for one request. It rejects only with ServiceErrors. */
function multerFor(settings: MulterOptions): (ctx: Context) => Promise<void> {
  // The types of @koa/multer know fewer options than multer does.
  const middleware = koaMulter(settings as unknown as koaMulter.Options).any();
  return async (ctx) => {
    try {
      await middleware(ctx, () => Promise.resolve());
    } catch (error) {
      throw uploadErrorToServiceError(error);
    }
  };
}

/** @param hasReplaced Whether the parser must have written each U+FFFD in a field, in place of invalid bytes. */
function fieldsOf(body: unknown, hasReplaced: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries((body ?? {}) as Record<string, unknown>).map(([name, value]) => {
      if (name === 'file')
        throw validationFailed({ path: '/file', message: 'must be a file, with a file name' });
      if (Array.isArray(value))
        throw validationFailed({ path: pointerTo(name), message: 'is given more than once' });
      if (typeof value !== 'string')
        throw validationFailed({ path: pointerTo(name), message: 'has an unknown charset; send UTF-8' });
      if (hasReplaced && value.includes('\uFFFD'))
        throw new ServiceError('MALFORMED_BODY', `The field ${name} is not valid UTF-8.`);
      return [name, value];
    }),
  );
}

const replacement = Buffer.from('\uFFFD');

/**
 * Watches the bytes of a request for U+FFFD while it is read. The parser writes this character in place of invalid bytes
 * and does not report that. If the client did not send the character, a field with it was invalid. If the client did,
 * for example in the file, invalid fields are not noticed.
 */
function watchForReplacements(request: IncomingMessage): { readonly sent: () => boolean } {
  let sent = false;
  let before: Buffer = Buffer.alloc(0);
  const look = (part: Buffer): void => {
    const border = Buffer.concat([before, part.subarray(0, 2)]);
    sent = part.includes(replacement) || border.includes(replacement);
    before = part.length < 2 ? border.subarray(-2) : part.subarray(-2);
    if (sent) request.off('data', look);
  };
  request.on('data', look);
  return { sent: () => sent };
}

/**
 * Reads a request of the type multipart/form-data: text fields and at most one file, in the field `file`, in any order.
 * Streams the file to the object store. If the upload is refused, breaks off or cannot be stored, keeps nothing and
 * throws MALFORMED_BODY, VALIDATION_FAILED (also for an empty file), PAYLOAD_TOO_LARGE (`details.limit_bytes`) or
 * STORAGE_UNAVAILABLE. A caller that rejects the request later must call `discard`.
 */
export async function receiveUpload(ctx: Context, options: ReceiveUploadOptions): Promise<ReceivedUpload> {
  const { objectStore, maxUploadBytes, onLeftover } = options;
  const aborting = new AbortController();
  const engine = createUploadEngine({
    ...options,
    requestBytes: Number(ctx.get('content-length')) || undefined,
    signal: aborting.signal,
  });

  const discard = async (): Promise<void> => {
    const stored = await engine.stored().catch(() => null);
    if (stored)
      await objectStore.delete([stored.key]).catch((error: unknown) => onLeftover(stored.key, error));
  };

  const parse = multerFor({ storage: engine, fileFilter: engine.accept, limits, defParamCharset: 'utf8' });
  try {
    assertSize(ctx, maxUploadBytes);
    assertStillThere(ctx.req);
    const parsed = parse(ctx);
    const replacements = watchForReplacements(ctx.req);
    await Promise.race([parsed, engine.failed]);
    const fields = fieldsOf((ctx.request as { body?: unknown }).body, !replacements.sent());
    const file = await engine.stored();
    if (file?.size_bytes === 0) throw validationFailed({ path: '/file', message: 'must not be empty' });
    return { fields, file, discard };
  } catch (error) {
    aborting.abort();
    await discard();
    throw error;
  }
}
