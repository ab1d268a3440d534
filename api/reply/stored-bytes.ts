import { isAscii, isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import parseRange from 'range-parser';
import { ServiceError } from '../../core/errors.js';
import { startsAsUtf8 } from '../../runtime/content/text-sniffing.js';
import type { ObjectStore } from '../../storage/object-store/index.js';
import {
  openStored,
  type OpenStoredOptions,
  type StoredContent,
} from '../../storage/object-store/open-stored.js';
import type { Reply } from '../route.js';

/** Makes browsers download the bytes instead of running them on our origin. */
export const inertHeaders = {
  'content-disposition': 'attachment',
  'content-security-policy': "sandbox; default-src 'none'",
};

/** Replies with the bytes of an object, or with one requested range of them (RFC 9110 §14). */
export async function replyWithBytes(
  koa: Context,
  objectStore: ObjectStore,
  object: StoredContent &
    Pick<OpenStoredOptions, 'unreadable' | 'onUnreadable'> & {
      readonly mediaType: string;
      /** Replaces `inertHeaders`. With an ETag, If-Range (RFC 9110 §13.1.5) is supported. */
      readonly headers?: Readonly<Record<string, string>>;
    },
): Promise<Reply> {
  const { size_bytes: size, mediaType } = object;
  const headers = { ...(object.headers ?? inertHeaders), 'accept-ranges': 'bytes' };
  const isOfOther = koa.get('if-range') !== '' && koa.get('if-range') !== object.headers?.['ETag'];
  // Only GET has ranges (§14.2).
  const asked = isOfOther || koa.method !== 'GET' ? '' : koa.get('range');
  const ranges = asked === '' ? -2 : parseRange(size, withinContent(asked, size));
  if (ranges === -1) {
    throw new ServiceError('RANGE_NOT_SATISFIABLE', `The range is outside the content of ${size} bytes.`, {
      size,
    });
  }
  const [range, ...more] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges;
  if (range === undefined || more.length > 0) {
    const body = await openStored(objectStore, object, object);
    return {
      status: 200,
      type: await withCharset(mediaType, body, size),
      body,
      headers: { ...headers, 'content-length': String(size) },
    };
  }
  const body = await openStored(objectStore, object, { ...object, range });
  return {
    status: 206,
    type: await withCharset(mediaType, body, range.end - range.start + 1),
    body,
    headers: {
      ...headers,
      'content-length': String(range.end - range.start + 1),
      'content-range': `bytes ${range.start}-${range.end}/${size}`,
    },
  };
}

/** Where a text has no other character than ASCII so far, it counts as UTF-8. */
const mostAscii = 1024 * 1024;

/**
 * Adds the charset to the media type of a text that is sent as UTF-8. A stored media type does not name it, and clients read
 * a text without one as Latin-1. Looks at the body up to the first characters that are not ASCII; it still has them then.
 */
async function withCharset(mediaType: string, body: Readable, size: number): Promise<string> {
  if (!/^text\/[^;]+$/.test(mediaType)) return mediaType;
  const parts: Buffer[] = [];
  let length = 0;
  while (length < Math.min(size, mostAscii)) {
    if (body.readableLength === 0) await once(body, 'readable');
    const part = body.read() as Buffer | null;
    if (part === null) continue;
    parts.push(part);
    length += part.length;
    if (!isAscii(part)) break;
  }
  const head = Buffer.concat(parts);
  if (length > 0) body.unshift(head);
  const isText = length === size ? isUtf8(head) : startsAsUtf8(head);
  return length > 0 && isText ? `${mediaType}; charset=utf-8` : mediaType;
}

/** A suffix longer than the content means the whole content (RFC 9110 §14.1.2); the parser refuses it. */
function withinContent(asked: string, size: number): string {
  const suffix = /^bytes=-(\d+)$/.exec(asked)?.[1];
  return suffix !== undefined && Number(suffix) > size ? 'bytes=0-' : asked;
}
