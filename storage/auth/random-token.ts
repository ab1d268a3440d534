import { createHash, randomBytes } from 'node:crypto';

/**
 * A secret of 32 random bytes with a prefix for its purpose. It grants access by itself, so it is shown only
 * once.
 */
export function makeRandomToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/**
 * The stored form of such a secret. A plain hash is enough, since the secret cannot be guessed. Look-up
 * timing reveals at most how a hash begins, and no one can choose a secret to match that.
 */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
