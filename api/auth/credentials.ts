import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';
import { findEndOfApiKey, type ApiKeyRow } from '../../storage/auth/api-keys.js';
import type { Db } from '../../storage/database/connection.js';
import type { ApiDeps } from '../deps.js';
import type { ApiState } from '../middleware/request-id.js';
import { rateLimited } from './rate-limits.js';

/**
 * Looks up a secret sent with a request. Throws UNAUTHENTICATED with `refusal` if it is not found, or RATE_LIMITED if
 * this client sent too many invalid ones. Valid secrets are always accepted: a lookup costs no more than a refusal, and
 * secrets are too long to guess.
 */
export async function checkCredential<T>(
  ctx: Context,
  { rateLimits }: ApiDeps,
  secret: string | null,
  find: (secret: string) => Promise<T | null>,
  refusal: string | ((secret: string) => Promise<string>),
): Promise<T> {
  const found = secret === null ? null : await find(secret);
  if (found !== null) return found;
  await rateLimits.countFailure((ctx.state as ApiState).client.address);
  const message = typeof refusal === 'string' ? refusal : await refusal(secret ?? '');
  throw new ServiceError('UNAUTHENTICATED', message);
}

/** Returns why a key is refused. Only the key's holder can ask, so the text includes when it expired. */
export async function refusalOfKey(db: Db, key: string): Promise<string> {
  const end = await findEndOfApiKey(db, key);
  if (end === null) return 'This API key is unknown.';
  const since = `${end.at.toISOString().slice(0, 19)}Z`;
  return end.how === 'expired'
    ? `This API key expired at ${since}. Ask for a new one.`
    : `This API key was revoked at ${since}. Ask for a new one.`;
}

/**
 * Counts a request of a key. Throws RATE_LIMITED over the limit. Sets the headers of
 * draft-ietf-httpapi-ratelimit-headers up to revision 06: three fields, Reset in seconds.
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
    throw rateLimited(`This API key allows ${limit} requests per minute.`, limit, reset);
  }
}
