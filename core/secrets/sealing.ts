import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { fingerprintOf } from './secret-fingerprint.js';

const version = 'v1';

const keyOf = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'knowledge-warehouse sealed column', 32));

/**
 * Encrypts a text with AES-256-GCM under the first secret; `unseal` reads it under any. The result is
 * `v1.<fingerprint of the secret>.<IV>.<tag>.<text>`.
 */
export function seal(secrets: readonly string[], text: string): string {
  const [secret] = secrets;
  if (secret === undefined) throw new TypeError('Sealing needs a secret.');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const parts = [iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'));
  return [version, fingerprintOf(secret), ...parts].join('.');
}

/** Decrypts the output of `seal`. Throws if no secret matches the one it was sealed with. */
export function unseal(secrets: readonly string[], sealed: string): string {
  const [found, fingerprint, ...parts] = sealed.split('.');
  const [iv, tag, body] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (found !== version || !iv || !tag || !body) throw new Error('Not a sealed text.');
  const secret = secrets.find((each) => fingerprintOf(each) === fingerprint);
  if (secret === undefined) throw new Error('None of the secrets in KW_SECRET can decrypt this value.');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), iv).setAuthTag(tag);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
