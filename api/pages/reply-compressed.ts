import type { Context } from 'koa';
import type { Reply } from '../route.js';
import type { Compressed } from './compressed.js';

/** Replies in the best coding that the client accepts. Each coding has its own entity tag. */
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
