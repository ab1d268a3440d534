import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Reply } from '../route.js';

type Coding = 'br' | 'gzip' | 'identity';

/** A body that many will ask for, in each coding it is sent in. */
export interface Compressed {
  readonly hash: string;
  readonly codings: Readonly<Record<Coding, Buffer>>;
}

/** Compresses once what is then sent to everybody: it takes some tens of milliseconds for a megabyte. */
export function compress(body: string | Buffer): Compressed {
  const identity = Buffer.from(body);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return {
    hash: createHash('sha256').update(identity).digest('base64url').slice(0, 16),
    codings: { br: brotliCompressSync(identity, { params }), gzip: gzipSync(identity), identity },
  };
}

/** Answers in the best coding that the caller takes, each with a tag of its own. */
export function replyCompressed(
  koa: Context,
  { hash, codings }: Compressed,
  type: string,
  headers: Readonly<Record<string, string>>,
): Reply {
  const accepted = koa.acceptsEncodings('br', 'gzip', 'identity');
  const coding = accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
  koa.vary('Accept-Encoding');
  return {
    status: 200,
    type,
    headers: {
      ...headers,
      ETag: `"${hash}-${coding}"`,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
    },
    body: codings[coding],
  };
}
