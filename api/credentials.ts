import type { Context } from 'koa';
import { ServiceError } from '../core/errors.js';
import type { ApiKeyRow } from '../storage/api-keys.js';
import type { ApiDeps } from './deps.js';
import { rateLimited } from './rate-limits.js';

/**
 * What `find` finds for a secret that came with a request. Throws UNAUTHENTICATED with `refusal` when that is nothing, and
 * RATE_LIMITED when this address brought too many of that kind.
 */
export async function checkCredential<T>(
  ctx: Context,
  { rateLimits }: ApiDeps,
  secret: string | null,
  find: (secret: string) => Promise<T | null>,
  refusal: string,
): Promise<T> {
  await rateLimits.admitAttempt(ctx.ip, secret);
  const found = secret === null ? null : await find(secret);
  if (secret === null || found === null) {
    await rateLimits.countFailure(ctx.ip);
    throw new ServiceError('UNAUTHENTICATED', refusal);
  }
  rateLimits.remember(secret);
  return found;
}

/**
 * Counts a request of a key. Throws RATE_LIMITED when there were too many. The headers are those of
 * draft-ietf-httpapi-ratelimit-headers up to its revision 06: three fields, Reset in seconds.
 */
export async function countRequest(ctx: Context, { rateLimits }: ApiDeps, key: ApiKeyRow): Promise<void> {
  const quota = await rateLimits.count(key.id, key.rate_limit);
  if (quota === null) return;
  const { limit, remaining, reset } = quota;
  ctx.set({
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(Math.max(remaining, 0)),
    'RateLimit-Reset': String(reset),
  });
  if (remaining < 0) {
    throw rateLimited(`This API key may be used for ${limit} requests per minute.`, limit, reset);
  }
}
