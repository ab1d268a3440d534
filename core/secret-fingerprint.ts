import { scryptSync } from 'node:crypto';

/** Characters of a fingerprint. */
export const fingerprintLength = 22;

const known = new Map<string, string>();

/**
 * What a secret is recognised by where the secret itself must not be: in the database and in what is sealed with it. It
 * is slow to make (scrypt, some 40 ms), so that whoever reads it gains nothing over trying secrets on what is sealed.
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

/** The database belongs to processes with another KW_SECRET. The message is for the person who set it. */
export class SecretRefusedError extends Error {
  override readonly name = 'SecretRefusedError';
}
