import { apiKeyColumns, noteKeyUse, onlyValidKeys, type ApiKeyRow } from './api-keys.js';
import { unlessDiskFull, type Db } from '../database/connection.js';
import { hashOfToken, makeRandomToken } from './random-token.js';

/** A browser that is logged in. */
export interface Session {
  /** The hash of its token. */
  readonly hash: Buffer;
  /** The key whose rights the session has. */
  readonly key: ApiKeyRow;
  /** When the session expires, at the latest with its key; use may postpone this. */
  readonly expiresAt: Date;
}

/** How long a session may be idle, and how long it may last. */
const idle = "interval '12 hours'";
const longest = "interval '7 days'";
/** The use of a session is recorded at most this often. */
const pause = "interval '1 minute'";

interface Found extends ApiKeyRow {
  readonly session_expires_at: Date;
  readonly is_due: boolean;
}

/** Starts a session of a key. The token is only returned here; the row stores its hash. */
export async function createSession(
  db: Db,
  key: ApiKeyRow,
): Promise<{ readonly token: string; readonly session: Session }> {
  const token = makeRandomToken('kws_');
  const hash = hashOfToken(token);
  const [row] = await db('sessions')
    .insert({
      hash,
      api_key_id: key.id,
      expires_at: db.raw(`now() + ${idle}`),
      ends_at: db.raw(`now() + ${longest}`),
    })
    .returning<{ expires_at: Date }[]>('expires_at');
  return { token, session: sessionOf(hash, key, row?.expires_at ?? new Date()) };
}

/** Finds a session by its token, unless it or its key has ended. Records its use at most once a minute. */
export async function findSession(db: Db, token: string): Promise<Session | null> {
  const hash = hashOfToken(token);
  const found: Found | undefined = await db('sessions')
    .join('api_keys', 'api_keys.id', 'sessions.api_key_id')
    .select(
      ...apiKeyColumns.map((column) => `api_keys.${column}`),
      'sessions.expires_at as session_expires_at',
      db.raw(`sessions.expires_at < least(now() + ${idle} - ${pause}, sessions.ends_at) as is_due`),
    )
    .where('sessions.hash', hash)
    .where('sessions.expires_at', '>', db.fn.now())
    .modify(onlyValidKeys)
    .first();
  if (found === undefined) return null;
  const { session_expires_at: expiresAt, is_due: isDue, ...key } = found;
  await noteKeyUse(db, key);
  if (!isDue) return sessionOf(hash, key, expiresAt);
  const extended = await unlessDiskFull<{ expires_at: Date }[]>(
    db('sessions')
      .where({ hash })
      .update({ expires_at: db.raw(`least(now() + ${idle}, ends_at)`) })
      .returning('expires_at'),
  );
  if (extended === null) return sessionOf(hash, key, expiresAt);
  const [used] = extended;
  return used === undefined ? null : sessionOf(hash, key, used.expires_at);
}

function sessionOf(hash: Buffer, key: ApiKeyRow, expiresAt: Date): Session {
  const keyEnds = key.expires_at;
  return { hash, key, expiresAt: keyEnds !== null && keyEnds < expiresAt ? keyEnds : expiresAt };
}

/** Which of these sessions, given by hash, have not ended. Does not check their keys. */
export async function listOpenSessions(db: Db, hashes: readonly Buffer[]): Promise<Buffer[]> {
  return await db('sessions')
    .whereIn('hash', [...hashes])
    .where('expires_at', '>', db.fn.now())
    .pluck('hash');
}

/** Ends a session. Returns its key, or null if the session had already ended. */
export async function endSession(
  db: Db,
  token: string,
): Promise<{ readonly id: string; readonly name: string } | null> {
  const { rows } = await db.raw<{ rows: { id: string; name: string }[] }>(
    `with ended as (delete from sessions where hash = ? returning api_key_id)
     select k.id, k.name from ended join api_keys k on k.id = ended.api_key_id`,
    [hashOfToken(token)],
  );
  return rows[0] ?? null;
}

/** Removes expired sessions. Returns their number. */
export async function sweepSessions(db: Db, limit: number): Promise<number> {
  return await db('sessions')
    .whereIn('hash', db('sessions').select('hash').where('expires_at', '<=', db.fn.now()).limit(limit))
    // Skip a session that was used in the meantime.
    .where('expires_at', '<=', db.fn.now())
    .delete();
}
