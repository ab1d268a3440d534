import { createHash, randomBytes } from 'node:crypto';

/**
 * A secret of 32 random bytes with a prefix for its purpose. It grants access by itself, so it is shown only
 * once.
 */
export function makeRandomToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/**
 * The stored form of a random token. A plain hash is enough because the secret cannot be guessed. Lookup timing reveals
 * at most the first bytes of a hash, and an attacker cannot construct a secret that matches them.
 */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
