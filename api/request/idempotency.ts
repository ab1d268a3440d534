import type { Context } from 'koa';
import { ServiceError, validationFailed } from '../../core/errors.js';
import { renderJson } from '../../core/json/raw-json.js';
import { jsonHash } from '../../core/json/canonical-json.js';
import {
  claimKey,
  keepResponse,
  releaseClaim,
  renewClaim,
  type KeptResponse,
  type KeyClaim,
} from '../../storage/idempotency-keys.js';
import type { ApiDeps } from '../deps.js';
import type { Call, Changes } from './changes.js';
import type { CheckedInput } from './read-input.js';
import type { Reply, Transact } from '../route.js';

/**
 * Carries out a request. One with an Idempotency-Key is carried out at most once on `idempotent` routes: the response
 * is stored in the transaction of the change and replayed for equal requests. Throws IDEMPOTENCY_IN_PROGRESS while the
 * first request is running, and IDEMPOTENCY_MISMATCH for another body.
 *
 * The key is claimed before the body is read, which may take minutes. The claim is a row with a lease, since a database
 * lock would hold a connection that long. Storing the response checks that the claim is still held.
 */
export async function carryOutOnce(
  call: Call,
  changes: Changes,
  read: () => Promise<CheckedInput>,
  handle: (input: CheckedInput, transact: Transact) => Promise<Reply>,
): Promise<Reply> {
  const { koa, deps, route, principal } = call;
  const key = route.idempotent === true ? readKey(koa) : null;
  if (key === null || principal === null) return await handle(await read(), (work) => changes.reply(work));
  const params = Object.values(koa['params'] as Record<string, string>);
  const scope = { apiKeyId: principal.keyId, route: [route.operationId, ...params], key };
  const found = await claimKey(deps.db, scope, deps.config.leaseSeconds);
  if (found.state === 'ANSWERED') return await repeat(found.response, await read());
  if (found.state === 'CLAIMED') return await carryOutClaimed(deps, changes, found.claim, read, handle);
  throw new ServiceError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still in progress.',
  );
}

async function carryOutClaimed(
  { db, log, config: { leaseSeconds } }: ApiDeps,
  changes: Changes,
  claim: KeyClaim,
  read: () => Promise<CheckedInput>,
  handle: (input: CheckedInput, transact: Transact) => Promise<Reply>,
): Promise<Reply> {
  const renewing = setInterval(
    () => {
      renewClaim(db, claim, leaseSeconds).catch((err: unknown) =>
        log.debug({ err }, 'a claim was not renewed'),
      );
    },
    (leaseSeconds * 1_000) / 3,
  );
  try {
    const input = await read();
    const fingerprint = fingerprintOf(input);
    return await handle(input, (work) =>
      changes.reply(async (trx) => {
        const reply = await work(trx);
        await keepResponse(trx, claim, { fingerprint, ...toKept(reply) });
        return reply;
      }),
    );
  } catch (error) {
    // Errors are not stored. If the commit itself failed, the response may have been stored: then it stays.
    await releaseClaim(db, claim).catch((err: unknown) => log.debug({ err }, 'a claim was not released'));
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

/** Replays the first response and discards the file of this request. */
async function repeat(response: KeptResponse, input: CheckedInput): Promise<Reply> {
  await input.upload?.discard();
  if (fingerprintOf(input) !== response.fingerprint) {
    throw new ServiceError(
      'IDEMPOTENCY_MISMATCH',
      'This Idempotency-Key was used for another request; use a new key for a new request.',
    );
  }
  const { status, headers, body } = response;
  const replayed = { ...headers, 'Idempotent-Replayed': 'true' };
  return { status, headers: replayed, body, type: 'application/json; charset=utf-8' };
}

function toKept(reply: Reply): Omit<KeptResponse, 'fingerprint'> {
  return { status: reply.status, headers: reply.headers ?? {}, body: renderJson(reply.body) };
}

/** Returns a hash that is equal for equal requests. A file counts by its content and media type. */
function fingerprintOf({ body, upload }: CheckedInput): string {
  const file = upload?.file ?? null;
  return jsonHash({ body, file: file && { sha256: file.sha256, media_type: file.media_type } });
}

function readKey(koa: Context): string | null {
  const keys = koa.req.headersDistinct['idempotency-key'];
  if (keys === undefined) return null;
  const [key = '', ...more] = keys;
  if (more.length === 0 && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw validationFailed({
    path: '/headers/idempotency-key',
    message: 'must be 1 to 255 printable ASCII characters, and occur once',
  });
}
