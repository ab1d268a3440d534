import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { ServiceError } from '../../core/errors.js';

/**
 * Reads the bytes of a request's JSON body; null if there is none. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE and
 * MALFORMED_BODY.
 *
 * @param options.limit Bytes.
 * @param options.takesFiles Whether the route also accepts files, which the error then mentions.
 */
export async function readJsonBytes(
  ctx: Context,
  { limit, takesFiles }: { readonly limit: number; readonly takesFiles: boolean },
): Promise<Buffer | null> {
  const length = ctx.get('content-length');
  const isChunked = ctx.get('transfer-encoding') !== '';
  if (!isChunked && (length === '' || length === '0')) return null;
  try {
    assertJsonType(ctx, takesFiles);
  } catch (error) {
    if (isChunked && (await isEmpty(ctx))) return null;
    throw error;
  }
  return await readBytes(ctx, limit);
}

/** Whether a chunked body has no bytes, which only its end tells. Reads no further than the first ones. */
async function isEmpty(ctx: Context): Promise<boolean> {
  return await readBytes(ctx, 0).then(
    () => true,
    () => false,
  );
}

function assertJsonType(ctx: Context, takesFiles: boolean): void {
  const [mediaType = '', ...parameters] = ctx.get('content-type').toLowerCase().split(';');
  const isJson = /^application\/(?:json|[a-z0-9.!#$&^_-]+\+json)$/.test(mediaType.trim());
  const charset = parameters.map((each) => /^charset="?([^"]*)"?$/.exec(each.trim())?.[1]).find(Boolean);
  const other = takesFiles ? ', or a file as multipart/form-data' : '';
  if (!isJson) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', `Send the body as application/json${other}.`);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Send JSON in UTF-8.');
  }
  assertNotCompressed(ctx.req);
}

/** Throws UNSUPPORTED_MEDIA_TYPE for a body with a content coding. */
export function assertNotCompressed({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== '' && encoding !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Compressed bodies are not accepted.');
  }
}

async function readBytes(ctx: Context, limit: number): Promise<Buffer> {
  try {
    return await getRawBody(ctx.req, { limit, length: ctx.get('content-length') || null });
  } catch (error) {
    // Node skips the rest of an unread request by itself, but not that of a request whose body was partly read.
    ctx.req.resume();
    if ((error as { type?: string }).type === 'entity.too.large') {
      throw new ServiceError('PAYLOAD_TOO_LARGE', `The body has more than ${limit} bytes.`, {
        limit_bytes: limit,
      });
    }
    throw new ServiceError('MALFORMED_BODY', 'The body is incomplete.', {}, { cause: error });
  }
}
