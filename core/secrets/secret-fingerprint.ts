import { scryptSync } from 'node:crypto';

/** Characters of a fingerprint. */
export const fingerprintLength = 22;

const known = new Map<string, string>();

/**
 * Identifies a secret where the secret itself must not appear: in the database and in sealed texts. Computing
 * it is slow (scrypt, about 40 ms), so it does not help an attacker more than trying secrets on sealed texts.
 */
export function fingerprintOf(secret: string): string {
  const made =
    known.get(secret) ??
    scryptSync(secret, 'knowledge-warehouse secret fingerprint', 16, { N: 2 ** 14, r: 8, p: 1 }).toString(
      'base64url',
    );
  known.set(secret, made);
  return made;
}

/** The database belongs to processes with another KW_SECRET. The message addresses the person who set it. */
export class SecretRefusedError extends Error {
  override readonly name = 'SecretRefusedError';
}
