import { createHash, randomBytes } from 'node:crypto';

/** A secret of 32 random bytes behind a prefix that says what it is for. Whoever holds it is let in: it is shown once. */
export function makeRandomToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/**
 * What is kept of such a secret. A plain hash is enough, there is nothing to guess; secrets are looked up by it, so how
 * long that takes tells at most how a hash begins, which nobody can choose a secret for.
 */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
