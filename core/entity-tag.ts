import { createHmac } from 'node:crypto';
import { renderJson } from './raw-json.js';

/**
 * A strong entity tag (RFC 9110 §8.8.3) of a value that JSON can hold. It is keyed with the first secret: what a
 * caller may not see can be part of the value, and cannot be guessed from the tag.
 */
export function entityTag(secrets: readonly string[], value: unknown): string {
  const [secret] = secrets;
  if (secret === undefined) throw new TypeError('An entity tag needs a secret.');
  const mac = createHmac('sha256', `knowledge-warehouse entity tag\n${secret}`).update(renderJson(value));
  return `"${mac.digest('base64url')}"`;
}

/**
 * The tags of a value under each secret: while a secret is replaced, a tag that was read from one process is sent to
 * another that signs with the other secret.
 */
export function entityTags(secrets: readonly string[], value: unknown): string[] {
  return secrets.map((secret) => entityTag([secret], value));
}
