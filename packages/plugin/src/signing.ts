import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

/** Creates a signing secret in the Standard Webhooks format: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The minimum length of a secret in bytes. Standard Webhooks asks for 24. */
const leastBytes = 16;

/** Whether a text is a signing secret: `whsec_`, which may be missing, and at least 16 bytes in base64. */
export function isSigningSecret(text: string): boolean {
  return /^(?:whsec_)?[A-Za-z0-9+/]+=*$/.test(text) && keyOf(text).length >= leastBytes;
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

function signatureOf(secret: string, id: string, timestamp: string, body: string): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/**
 * Returns the headers of a signed message, with one signature for each secret. Source: Standard Webhooks specification
 * 1.0, "Signature scheme".
 *
 * @param now Milliseconds since 1970.
 */
export function signMessage(
  secrets: readonly string[],
  body: string,
  id: string = `msg_${randomUUID()}`,
  now: number = Date.now(),
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const timestamp = String(Math.floor(now / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signatureOf(secret, id, timestamp, body)).join(' '),
  };
}

/**
 * Whether the headers of a message contain a signature that was made with the secret at most five minutes ago. Compares
 * in constant time. False if the secret is not one, such as an empty text, with which anybody could sign.
 */
export function verifyMessage(
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  now: number = Date.now(),
): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!isSigningSecret(secret)) return false;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= 300)) return false;
  const expected = Buffer.from(signatureOf(secret, id, timestamp, body));
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
