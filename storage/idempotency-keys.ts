import { createHash } from 'node:crypto';
import { ServiceError } from '../core/errors.js';
import { uuidv7 } from '../core/ids.js';
import type { Db } from './database/connection.js';

/** The scope within which an Idempotency-Key is unique. */
export interface IdempotencyScope {
  readonly apiKeyId: string;
  /** The operation and its path parameters. */
  readonly route: readonly string[];
  readonly key: string;
}

/** A request's claim on a key. Taking the key over creates another `claim`. */
export interface KeyClaim {
  readonly id: Buffer;
  readonly claim: string;
}

/** A response as it was sent. */
export interface KeptResponse {
  /** Fingerprint of the request: equal for equal requests. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

export type KeyState =
  | { readonly state: 'CLAIMED'; readonly claim: KeyClaim }
  | { readonly state: 'IN_FLIGHT' }
  | { readonly state: 'ANSWERED'; readonly response: KeptResponse };

type ResponseRow = Omit<KeptResponse, 'headers'> & { readonly headers: string };

// Paths and keys are untrusted text; a hash of them always fits into an index.
const idOf = ({ apiKeyId, route, key }: IdempotencyScope): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([apiKeyId, route, key]))
    .digest();

/**
 * Claims a key for a request for `leaseSeconds`, which `renewClaim` extends. If a process dies, its keys become free
 * after that. A key whose response has expired is claimed like a new one.
 */
export async function claimKey(db: Db, scope: IdempotencyScope, leaseSeconds: number): Promise<KeyState> {
  const id = idOf(scope);
  const claim = uuidv7();
  const claimed: { rows: unknown[] } = await db.raw(
    `insert into idempotency_keys as k (id, claim, expires_at)
     values (:id, :claim, now() + make_interval(secs => :lease))
     on conflict (id) do update
       set claim = excluded.claim, expires_at = excluded.expires_at,
           fingerprint = null, status = null, headers = null, body = null
       where k.expires_at <= now()
     returning 1`,
    { id, claim, lease: leaseSeconds },
  );
  if (claimed.rows.length > 0) return { state: 'CLAIMED', claim: { id, claim } };
  const row: ResponseRow | undefined = await db('idempotency_keys')
    .select('fingerprint', 'status', 'headers', 'body')
    .where({ id })
    .whereNotNull('status')
    .first();
  if (row === undefined) return { state: 'IN_FLIGHT' };
  const headers = JSON.parse(row.headers) as Record<string, string>;
  return { state: 'ANSWERED', response: { ...row, headers } };
}

/** Extends a claim to `leaseSeconds` from now. */
export async function renewClaim(db: Db, claim: KeyClaim, leaseSeconds: number): Promise<void> {
  await unanswered(db, claim).update({
    expires_at: db.raw('now() + make_interval(secs => ?)', [leaseSeconds]),
  });
}

/** Releases a claim without a response; a key that already has a response is unaffected. */
export async function releaseClaim(db: Db, claim: KeyClaim): Promise<void> {
  await unanswered(db, claim).delete();
}

/**
 * Stores the response to a request for 24 hours, in the transaction of the change it describes. Throws
 * IDEMPOTENCY_IN_PROGRESS, which rolls the change back, if the lease expired and another request claimed the key.
 */
export async function keepResponse(trx: Db, claim: KeyClaim, response: KeptResponse): Promise<void> {
  const kept: number = await unanswered(trx, claim).update({
    ...response,
    headers: JSON.stringify(response.headers),
    expires_at: trx.raw("now() + interval '24 hours'"),
  });
  if (kept > 0) return;
  throw new ServiceError('IDEMPOTENCY_IN_PROGRESS', 'Another request with this Idempotency-Key came first.');
}

/** Removes expired responses and claims of dead processes. Returns their number. */
export async function sweepIdempotencyKeys(db: Db, limit: number): Promise<number> {
  return await db('idempotency_keys')
    .whereIn('id', db('idempotency_keys').select('id').where('expires_at', '<=', db.fn.now()).limit(limit))
    .where('expires_at', '<=', db.fn.now())
    .delete();
}

const unanswered = (db: Db, { id, claim }: KeyClaim): ReturnType<Db['queryBuilder']> =>
  db('idempotency_keys').where({ id, claim }).whereNull('status');
