import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AttemptRef } from '../runs/refs.js';

/** Milliseconds that a token stays valid after its attempt's deadline. */
const tokenGraceMs = 24 * 3600 * 1000;

const prefix = 'kwt_';

const macOf = (secret: string, payload: string): string =>
  createHmac('sha256', `knowledge-warehouse callback token\n${secret}`).update(payload).digest('base64url');

/** A signed token for one attempt. `expiresAt` is in Unix milliseconds. The first secret signs. */
export function makeToken(secrets: readonly string[], ref: AttemptRef, expiresAt: number): string {
  const [secret] = secrets;
  if (secret === undefined) throw new TypeError('Signing a token needs a secret.');
  const payload = Buffer.from(
    JSON.stringify([ref.resourceId, ref.run, ref.stepIndex, ref.attempt, expiresAt]),
  ).toString('base64url');
  return `${prefix}${payload}.${macOf(secret, payload)}`;
}

/** The token of an opened attempt. It outlives the attempt's deadline by a grace period. */
export function makeAttemptToken(
  secrets: readonly string[],
  opened: {
    readonly resource: { readonly id: string };
    readonly step: { readonly index: number; readonly run: number };
    readonly attempt: { readonly number: number; readonly deadline: Date };
  },
): string {
  const { resource, step, attempt } = opened;
  const ref = { resourceId: resource.id, run: step.run, stepIndex: step.index, attempt: attempt.number };
  return makeToken(secrets, ref, attempt.deadline.getTime() + tokenGraceMs);
}

/** The attempt a token is bound to; null if no secret matches or the token has expired. */
export function readToken(
  secrets: readonly string[],
  token: string,
  now: number = Date.now(),
): AttemptRef | null {
  const [payload, mac, ...rest] = token.startsWith(prefix) ? token.slice(prefix.length).split('.') : [];
  if (payload === undefined || mac === undefined || rest.length > 0) return null;
  // As text, because several texts decode to the same bytes.
  const given = Buffer.from(mac);
  const genuine = secrets.some((secret) => {
    const expected = Buffer.from(macOf(secret, payload));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!genuine) return null;
  const [resourceId, run, stepIndex, attempt, expiresAt] = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  ) as [string, number, number, number, number];
  return now < expiresAt ? { resourceId, run, stepIndex, attempt } : null;
}
