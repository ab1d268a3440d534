import { findApiKeyById, type ApiKeyRow } from './api-keys.js';
import type { Db } from '../database/connection.js';
import { hashOfToken, makeRandomToken } from './random-token.js';

/** Creates the token of a link that logs a browser in with a key. It works once, for five minutes. */
export async function createLoginLink(db: Db, apiKeyId: string): Promise<string> {
  const token = makeRandomToken('kwl_');
  await db('login_links').insert({
    hash: hashOfToken(token),
    api_key_id: apiKeyId,
    expires_at: db.raw("now() + interval '5 minutes'"),
  });
  return token;
}

/** Redeems a link. Returns its key, or null if the link is unknown, used or expired, or its key is no longer valid. */
export async function redeemLoginLink(db: Db, token: string): Promise<ApiKeyRow | null> {
  const [used] = await db('login_links')
    .where({ hash: hashOfToken(token) })
    .where('expires_at', '>', db.fn.now())
    .delete<{ api_key_id: string }[]>('api_key_id');
  return used === undefined ? null : await findApiKeyById(db, used.api_key_id);
}

/** Removes expired unused links. Returns their number. */
export async function sweepLoginLinks(db: Db): Promise<number> {
  return await db('login_links').where('expires_at', '<=', db.fn.now()).delete();
}
