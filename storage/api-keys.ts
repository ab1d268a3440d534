import type { Knex } from 'knex';
import { uuidv7 } from '../core/ids.js';
import type { Db } from './database.js';
import { hashOfToken, makeRandomToken } from './random-token.js';

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

/** The columns of an ApiKeyRow. */
export const apiKeyColumns = [
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
  const key = makeRandomToken('kw_');
  const id = uuidv7();
  await db('api_keys').insert({
    id,
    name: input.name,
    hash: hashOfToken(key),
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
    .select(...apiKeyColumns)
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

/** Which of these keys are neither revoked nor expired. */
export async function listGoodKeys(db: Db, ids: readonly string[]): Promise<string[]> {
  return await db('api_keys')
    .whereIn('id', [...ids])
    .modify(onlyValidKeys, db)
    .pluck('id');
}

/** The key that this text is, unless it is unknown, revoked or expired. Notes at most once a minute that it was used. */
export async function findApiKey(db: Db, key: string): Promise<ApiKeyRow | null> {
  const row: ApiKeyRow | undefined = await validKeys(db).where('hash', hashOfToken(key)).first();
  if (row === undefined) return null;
  await noteKeyUse(db, row);
  return row;
}

/** The key with this id, unless there is none, or it is revoked or expired. */
export async function findApiKeyById(db: Db, id: string): Promise<ApiKeyRow | null> {
  return (await validKeys(db).where({ id }).first()) ?? null;
}

const validKeys = (db: Db): Knex.QueryBuilder<object, ApiKeyRow[]> =>
  db('api_keys')
    .select<ApiKeyRow[]>(...apiKeyColumns)
    .modify(onlyValidKeys, db);

/** Narrows a query of `api_keys`, or a join with it, to keys that are neither revoked nor expired. */
export function onlyValidKeys(query: Knex.QueryBuilder, db: Db): void {
  void query.whereNull('api_keys.revoked_at').where((either) => {
    void either.whereNull('api_keys.expires_at').orWhere('api_keys.expires_at', '>', db.fn.now());
  });
}

/** Writes down that a key is used, unless that was done within the last minute. */
export async function noteKeyUse(db: Db, { id, last_used_at: last }: ApiKeyRow): Promise<void> {
  if (last !== null && Date.now() - last.getTime() <= 60_000) return;
  await db('api_keys').where({ id }).update({ last_used_at: db.fn.now() });
}
