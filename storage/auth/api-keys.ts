import type { Knex } from 'knex';
import { ServiceError } from '../../core/errors.js';
import { uuidv7 } from '../../core/ids.js';
import { recordAudit } from '../audit.js';
import { unlessDiskFull, type Db } from '../database/connection.js';
import { newestFirst, type TimePage } from '../database/newest-first.js';
import { prepared } from '../database/prepared.js';
import { hashOfToken, makeRandomToken } from './random-token.js';

export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  /** The first characters of the key, to tell keys apart. */
  readonly prefix: string;
  readonly scopes: readonly string[];
  /** Requests per minute; 0 means no limit, null the service's default. */
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

const selectKeys = (db: Db): ReturnType<Db['queryBuilder']> => db('api_keys').select(...apiKeyColumns);

const isValid =
  'api_keys.revoked_at is null and (api_keys.expires_at is null or api_keys.expires_at > now())';

/** Creates a key. The key itself is only returned here; the row stores its hash. */
export async function createApiKey(
  db: Db,
  input: {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly expires_at?: Date | null;
    readonly rate_limit?: number | null;
    /** An existing key to store instead of generating one. */
    readonly key?: string;
  },
): Promise<{ id: string; key: string }> {
  const { key = makeRandomToken('kw_') } = input;
  const id = uuidv7();
  await db('api_keys').insert({
    id,
    name: input.name,
    hash: hashOfToken(key),
    // A chosen key may be easier to guess than a generated one, and the prefix is stored and shown in clear.
    prefix: key.slice(0, input.key === undefined ? 10 : 4),
    scopes: input.scopes,
    rate_limit: input.rate_limit ?? null,
    expires_at: input.expires_at ?? null,
  });
  return { id, key };
}

/**
 * Stores this key as the first one with the scope admin. Does nothing and returns false if a valid admin key exists or
 * if this key was stored before: a revoked key stays revoked.
 */
export async function createFirstAdminKey(db: Db, key: string): Promise<boolean> {
  return await db.transaction(async (trx) => {
    await trx.raw('lock table api_keys in share row exclusive mode');
    const known: unknown = await trx('api_keys')
      .where({ hash: hashOfToken(key) })
      .orWhere((query) => void query.whereRaw("'admin' = any (scopes)").modify(onlyValidKeys))
      .first('id');
    if (known !== undefined) return false;
    const { id } = await createApiKey(trx, { name: 'admin', scopes: ['admin'], key });
    const object = { type: 'key', id };
    await recordAudit(trx, { key: null, address: null, action: 'createKey', object, requestId: null });
    return true;
  });
}

/** The key with this id, even if revoked or expired, or null. */
export async function readApiKey(db: Db, id: string): Promise<ApiKeyRow | null> {
  return ((await selectKeys(db).where({ id }).first()) as ApiKeyRow | undefined) ?? null;
}

/** A page of keys older than the cursor's, newest first, including revoked and expired ones. */
export async function listApiKeyPage(db: Db, page: TimePage): Promise<ApiKeyRow[]> {
  return (await selectKeys(db).modify(newestFirst(page))) as ApiKeyRow[];
}

/** All keys, newest first, including revoked and expired ones. */
export async function listApiKeys(db: Db): Promise<ApiKeyRow[]> {
  return (await selectKeys(db).orderBy('id', 'desc')) as ApiKeyRow[];
}

/** Revokes a key. Returns false if there is no such key or it is already revoked. */
export async function revokeApiKey(db: Db, id: string): Promise<boolean> {
  const changed: number = await db('api_keys')
    .where({ id })
    .whereNull('revoked_at')
    .update({ revoked_at: db.fn.now() });
  return changed > 0;
}

/**
 * Revokes a key, inside the caller's transaction, unless it is the last one that can administer the service. Returns
 * whether it was valid until now. Throws NOT_FOUND and LAST_ADMIN_KEY. The admin keys are locked first, so that two
 * admins who delete each other's key at the same time cannot both succeed.
 */
export async function deleteApiKey(trx: Db, id: string): Promise<boolean> {
  const admins: { id: string }[] = await trx('api_keys')
    .select('id')
    .whereRaw("'admin' = any (scopes)")
    .modify(onlyValidKeys)
    .orderBy('id')
    .forUpdate();
  if (admins.length === 1 && admins[0]?.id === id) {
    const message = 'This is the last valid key with the scope admin: create another one first.';
    throw new ServiceError('LAST_ADMIN_KEY', message);
  }
  if ((await readApiKey(trx, id)) === null) throw new ServiceError('NOT_FOUND', `There is no key ${id}.`);
  return await revokeApiKey(trx, id);
}

/** When a key was revoked or expired; null if the key is unknown or still valid. */
export async function findEndOfApiKey(
  db: Db,
  text: string,
): Promise<{ readonly how: 'revoked' | 'expired'; readonly at: Date } | null> {
  const row: Pick<ApiKeyRow, 'revoked_at' | 'expires_at'> | undefined = await db('api_keys')
    .select('revoked_at', 'expires_at')
    .where({ hash: hashOfToken(text) })
    .whereRaw(`not (${isValid})`)
    .first();
  if (row === undefined) return null;
  if (row.revoked_at !== null) return { how: 'revoked', at: row.revoked_at };
  return row.expires_at === null ? null : { how: 'expired', at: row.expires_at };
}

/** The ids of those keys that are neither revoked nor expired. */
export async function listValidKeyIds(db: Db, ids: readonly string[]): Promise<string[]> {
  return await db('api_keys')
    .whereIn('id', [...ids])
    .modify(onlyValidKeys)
    .pluck('id');
}

const findByHash = prepared<ApiKeyRow & { readonly hash: Buffer }>(
  'find_api_keys',
  `select ${apiKeyColumns.join(', ')}, hash from api_keys where hash = any (?::bytea[]) and ${isValid}`,
);

/** Finds the valid keys among these texts, by text. Records their use at most once a minute. */
export async function findApiKeys(db: Db, texts: readonly string[]): Promise<ReadonlyMap<string, ApiKeyRow>> {
  const hashes = texts.map(hashOfToken);
  const rows = await findByHash(db, [hashes]);
  const found = new Map<string, ApiKeyRow>();
  for (const { hash, ...row } of rows) {
    await noteKeyUse(db, row);
    const text = texts[hashes.findIndex((each) => each.equals(hash))];
    if (text !== undefined) found.set(text, row);
  }
  return found;
}

/** Finds a valid key by its text, or null. Records its use at most once a minute. */
export async function findApiKey(db: Db, text: string): Promise<ApiKeyRow | null> {
  return (await findApiKeys(db, [text])).get(text) ?? null;
}

/** Finds a valid key by its id, or null. */
export async function findApiKeyById(db: Db, id: string): Promise<ApiKeyRow | null> {
  const query = selectKeys(db).where({ id }).modify(onlyValidKeys);
  return ((await query.first()) as ApiKeyRow | undefined) ?? null;
}

/** Restricts a query of `api_keys`, or a join with it, to keys that are neither revoked nor expired. */
export function onlyValidKeys(query: Knex.QueryBuilder): void {
  void query.whereRaw(isValid);
}

/** Records that a key was used, unless that was done within the last minute or the database's disk is full. */
export async function noteKeyUse(db: Db, { id, last_used_at: last }: ApiKeyRow): Promise<void> {
  // oxlint-disable-next-line no-restricted-properties -- only saves a statement; the statement itself uses the database's clock
  if (last !== null && Math.abs(Date.now() - last.getTime()) <= 60_000) return;
  await unlessDiskFull(
    db('api_keys')
      .where({ id })
      .whereRaw("(last_used_at is null or last_used_at < now() - interval '1 minute')")
      .update({ last_used_at: db.fn.now() }),
  );
}
