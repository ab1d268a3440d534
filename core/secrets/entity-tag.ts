import { createHmac } from 'node:crypto';
import { renderJson } from '../json/raw-json.js';

/**
 * A strong entity tag (RFC 9110 §8.8.3) of a JSON value. The tag is keyed with the first secret, so a value
 * may include data the caller must not see: the tag does not let them guess it.
 */
export function entityTag(secrets: readonly string[], value: unknown): string {
  const [secret] = secrets;
  if (secret === undefined) throw new TypeError('An entity tag needs a secret.');
  const mac = createHmac('sha256', `knowledge-warehouse entity tag\n${secret}`).update(renderJson(value));
  return `"${mac.digest('base64url')}"`;
}

/**
 * The tags of a value under each secret. During a secret rotation, a tag issued by one process may reach
 * another that signs with the other secret.
 */
export function entityTags(secrets: readonly string[], value: unknown): string[] {
  return secrets.map((secret) => entityTag([secret], value));
}
