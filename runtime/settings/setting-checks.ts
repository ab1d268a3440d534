import ipaddr from 'ipaddr.js';
import { parseUrl } from '@knowledge-warehouse/plugin/protocol';

// The checks throw an Error whose message completes the sentence "NAME …", as Setting.parse does.

/** The minimum length of a secret in bytes; shorter ones could be guessed. */
export const secretLength = 16;

export function postgresUrl(value: string): void {
  const protocol = parseUrl(value)?.protocol;
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
    throw new Error('must be a URL that begins with postgres:// or postgresql://');
  }
  const { pathname, searchParams } = new URL(value);
  // The driver decodes no reserved character.
  if (isMalformed(pathname) || decodeURI(pathname) !== decodeURIComponent(pathname))
    throw new Error(
      'must not percent-encode ; : @ & = + $ , and / in the name of the database; the name cannot contain ? or #',
    );
  const mode = searchParams.get('sslmode');
  // The driver takes any other word for verify-full.
  if (mode && !sslModes.includes(mode))
    throw new Error(`must have an sslmode that is one of ${sslModes.join(', ')}, not "${mode}"`);
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

function isMalformed(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}

/** Buckets of other servers than Amazon's may have longer names, capitals and, with a tenant, a colon. */
export function bucketName(value: string): void {
  if (!/^([A-Za-z0-9._:-]{1,255}|arn:\S+)$/.test(value))
    throw new Error(
      `must be the name of a bucket (letters, digits and . _ : -) or the ARN of an access point, not "${value}"`,
    );
}

export function hostAndPort(value: string): void {
  const port = Number(/^(?:\[[0-9a-f:.]+\]|[^\s:/@[\]]+):(\d{1,5})$/i.exec(value)?.[1]);
  if (!(port >= 1 && port <= 65535)) throw new Error(`must be host:port, not "${value}"`);
}

export function addressOrCidr(value: string): void {
  const [address = '', bits, ...more] = value.split('/');
  const isIPv4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  const isCidr = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4 ? 32 : 128));
  if (!(isIPv4 || ipaddr.IPv6.isValid(address)) || !isCidr || more.length > 0)
    throw new Error(`must list addresses and CIDRs (10.0.0.5, 10.1.0.0/16, fd00::/8), not "${value}"`);
}

export function hostWithOptionalPort(value: string): void {
  if (!/^(\[[0-9a-f:.]+\]|[^\s:/@?#[\]]+)(:\d{1,5})?$/i.test(value)) {
    throw new Error(
      `must list hosts, with or without a port (example.com, 10.0.0.5:8000, [::1]), not "${value}"`,
    );
  }
}

export function origin(value: string): void {
  const isOrigin = parseUrl(value)?.origin === value && value.startsWith('http');
  if (value !== '*' && !isOrigin)
    throw new Error(`must list origins such as https://example.com, or *, not "${value}"`);
}

export function searchUri(value: string): void {
  if (!/^lancedb:(|\/.*|[A-Za-z]:[\\/].*|s3:\/\/[^/\s]+(\/\S*)?)$/.test(value))
    throw new Error(`must be lancedb:, lancedb:/path or lancedb:s3://bucket/prefix, not "${value}"`);
}

export function longEnough(value: string): void {
  if (value.length < secretLength)
    throw new Error(`must have at least ${secretLength} characters in each secret`);
}

export function adminKey(value: string): void {
  if (!/^[A-Za-z0-9._~+/-]{32,200}=*$/.test(value))
    throw new Error('must have 32 to 200 characters from A-Z, a-z, 0-9 and . _ ~ + / -');
}
