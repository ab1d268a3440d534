import { createHash, randomBytes } from 'node:crypto';
import { uuidv7 } from '../core/ids.js';
import type { Db } from './database.js';

export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  /** The first characters of the key, to tell keys apart. */
  readonly prefix: string;
  readonly scopes: readonly string[];
  /** Requests per minute; 0: none; null: the service's default. */
  readonly rate_limit: number | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

const columns = [
  'id',
  'name',
  'prefix',
  'scopes',
  'rate_limit',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const;

// A key is 32 random bytes: a plain hash is enough, there is nothing to guess. It is looked up by its hash, so how long
// that takes tells at most how a hash begins, which nobody can choose a key for.
const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Makes a key. The key itself is returned here and nowhere else; the row keeps its hash. */
export async function createApiKey(
  db: Db,
  input: {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly expires_at?: Date | null;
    readonly rate_limit?: number | null;
  },
): Promise<{ id: string; key: string }> {
  const key = `kw_${randomBytes(32).toString('base64url')}`;
  const id = uuidv7();
  await db('api_keys').insert({
    id,
    name: input.name,
    hash: hashOf(key),
    prefix: key.slice(0, 10),
    scopes: input.scopes,
    rate_limit: input.rate_limit ?? null,
    expires_at: input.expires_at ?? null,
  });
  return { id, key };
}

/** All keys, newest first, revoked and expired ones too. */
export async function listApiKeys(db: Db): Promise<ApiKeyRow[]> {
  return await db<ApiKeyRow>('api_keys')
    .select(...columns)
    .orderBy('id', 'desc');
}

/** Ends a key. Returns whether there was one that was not revoked yet. */
export async function revokeApiKey(db: Db, id: string): Promise<boolean> {
  const changed: number = await db('api_keys')
    .where({ id })
    .whereNull('revoked_at')
    .update({ revoked_at: db.fn.now() });
  return changed > 0;
}

/** The key that this text is, unless it is unknown, revoked or expired. Notes at most once a minute that it was used. */
export async function findApiKey(db: Db, key: string): Promise<ApiKeyRow | null> {
  const row = await db<ApiKeyRow>('api_keys')
    .select(...columns)
    .where('hash', hashOf(key))
    .whereNull('revoked_at')
    .where((query) => {
      void query.whereNull('expires_at').orWhere('expires_at', '>', db.fn.now());
    })
    .first();
  if (row === undefined) return null;
  if (row.last_used_at === null || Date.now() - row.last_used_at.getTime() > 60_000) {
    await db('api_keys').where({ id: row.id }).update({ last_used_at: db.fn.now() });
  }
  return row;
}
