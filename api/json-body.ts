import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { ServiceError, validationFailed } from '../core/errors.js';
import { deepestMessage, tooDeep } from '../core/json-bounds.js';

/**
 * The JSON body of a request as JSON.parse reads it; undefined when the body is empty. Throws
 * UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, MALFORMED_BODY, and VALIDATION_FAILED when it is nested too deep.
 *
 * @param limit Bytes.
 */
export async function readJson(ctx: Context, limit: number): Promise<unknown> {
  const length = ctx.get('content-length');
  const hasBody = ctx.get('transfer-encoding') !== '' || (length !== '' && length !== '0');
  if (!hasBody && ctx.get('content-type') === '') return undefined;
  assertJsonType(ctx);
  const bytes = await readBytes(ctx, limit);
  return bytes.length === 0 ? undefined : parse(bytes);
}

function assertJsonType(ctx: Context): void {
  const [mediaType = '', ...parameters] = ctx.get('content-type').toLowerCase().split(';');
  const isJson = /^application\/(?:json|[a-z0-9.!#$&^_-]+\+json)$/.test(mediaType.trim());
  const charset = parameters.map((each) => /^charset="?([^"]*)"?$/.exec(each.trim())?.[1]).find(Boolean);
  if (!isJson)
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body is to be sent as application/json.');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'JSON is sent in UTF-8.');
  }
  assertNotCompressed(ctx);
}

/** Throws UNSUPPORTED_MEDIA_TYPE for a body with a content coding. */
export function assertNotCompressed(ctx: Context): void {
  const encoding = ctx.get('content-encoding').toLowerCase();
  if (encoding !== '' && encoding !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Compressed bodies are not taken.');
  }
}

async function readBytes(ctx: Context, limit: number): Promise<Buffer> {
  try {
    return await getRawBody(ctx.req, { limit, length: ctx.get('content-length') || null });
  } catch (error) {
    if ((error as { type?: string }).type === 'entity.too.large') {
      throw new ServiceError('PAYLOAD_TOO_LARGE', `The body has more than ${limit} bytes.`, {
        limit_bytes: limit,
      });
    }
    throw new ServiceError('MALFORMED_BODY', 'The body did not arrive whole.', {}, { cause: error });
  }
}

function parse(bytes: Buffer): unknown {
  // Refused before anything recursive sees it.
  if (depthOf(bytes) > deepestMessage) throw validationFailed(tooDeep);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ServiceError('MALFORMED_BODY', 'The body is not valid UTF-8.', {}, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError(
      'MALFORMED_BODY',
      `The body is not valid JSON: ${(error as Error).message}.`,
      {},
      { cause: error },
    );
  }
}

/** How deep brackets stand in each other outside of strings. Every byte of the syntax is ASCII. */
function depthOf(bytes: Buffer): number {
  let depth = 0;
  let most = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) most = Math.max(most, (depth += 1));
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return most;
}
