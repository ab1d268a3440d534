import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { ServiceError, validationFailed } from '../../core/errors.js';
import { parseUrl } from '@knowledge-warehouse/plugin/protocol';
import { isPublicAddress } from './addresses.js';
import type { Deadline } from './deadline.js';

/** Which servers may be called in addition to those with public addresses. */
export interface OutgoingPolicy {
  /**
   * Hosts whose addresses are not checked: names, IPv4 addresses, or IPv6 addresses in brackets, with a port
   * (`10.0.0.5:8000`) or without one for all ports. They are compared with the host in the URL, ignoring case.
   */
  readonly allow: readonly string[];
  /** Resolves all addresses of a name; the system's resolver by default. May end early when the signal aborts. */
  readonly resolve?:
    ((hostname: string, signal?: AbortSignal) => Promise<readonly LookupAddress[]>) | undefined;
  /** Runs a lookup when its turn comes; at once by default. The time limit of the request does not run until then. */
  readonly takeTurn?: (<T>(lookup: () => Promise<T>) => Promise<T>) | undefined;
}

/** Names of this machine or of the cloud's metadata service, whatever they resolve to. */
const specialName =
  /^(?:(?:.+\.)?localhost|localhost\.localdomain|localhost[46]|ip6-localhost|ip6-loopback|metadata\.google\.internal)$/;

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

function matches(url: URL, entry: string): boolean {
  const [, host, port] = /^(\[[^\]]*\]|[^:]+)(?::(\d+))?$/.exec(entry.trim()) ?? [];
  return (
    host !== undefined &&
    parseUrl(`http://${host}`)?.hostname === url.hostname &&
    (port === undefined || port === portOf(url))
  );
}

function isAllowed(url: URL, policy: OutgoingPolicy): boolean {
  return policy.allow.some((entry) => matches(url, entry));
}

function refuse(message: string): ServiceError {
  return new ServiceError('URL_NOT_ALLOWED', message);
}

/**
 * Parses a URL that this service is asked to call, and rejects what can be rejected before names are resolved. Throws
 * ServiceError VALIDATION_FAILED, with `path` as the JSON Pointer of the finding, if it is not a URL. Throws
 * URL_NOT_ALLOWED for schemes other than http and https, for credentials, and for a host that is a name of this machine
 * or a non-public address in any notation (the URL standard makes `0x7f.1`, `2130706433` and full-width digits the same
 * host), unless the policy allows it.
 */
export function checkUrl(text: string, policy: OutgoingPolicy, path = ''): URL {
  const url = parseUrl(text);
  if (url === null) throw validationFailed({ path, message: 'must be an absolute URL' });
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse('Only http and https URLs are allowed.');
  if (url.username !== '' || url.password !== '')
    throw refuse('A URL with a user name or a password is not allowed.');
  if (isAllowed(url, policy)) return url;
  const isIPv6 = url.hostname.startsWith('[');
  const isIPv4 = /^[\d.]+$/.test(url.hostname);
  const isSpecial =
    isIPv6 || isIPv4
      ? !isPublicAddress(isIPv6 ? url.hostname.slice(1, -1) : url.hostname)
      : specialName.test(url.hostname.replace(/\.+$/, ''));
  if (isSpecial) throw refuse(`The host ${url.hostname} is not on the public internet and is not allowed.`);
  return url;
}

const resolveBySystem = (hostname: string): Promise<LookupAddress[]> => lookup(hostname, { all: true });

/** Resolves the host of a URL, without checking its addresses. For an address, there are none to resolve. */
export async function resolveHost(
  { hostname }: URL,
  { resolve = resolveBySystem, takeTurn = (lookup) => lookup() }: OutgoingPolicy,
  deadline: Deadline,
): Promise<readonly LookupAddress[]> {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return [];
  deadline.pause();
  return await takeTurn(async () => {
    // A lookup whose request has ended while it waited must not block a thread.
    deadline.signal.throwIfAborted();
    deadline.resume();
    return await resolve(hostname, deadline.signal);
  });
}

/**
 * Creates the DNS lookup for connections to a URL's host. The connection uses exactly the returned addresses, so they
 * cannot change after the check. Fails with ServiceError URL_NOT_ALLOWED if any address is not public, unless the
 * policy allows the host.
 */
export function checkedLookup(url: URL, policy: OutgoingPolicy): LookupFunction {
  const { resolve = resolveBySystem } = policy;
  const addressesOf = async (hostname: string): Promise<readonly LookupAddress[]> => {
    const found = await resolve(hostname);
    if (found.length === 0) throw Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' });
    if (!isAllowed(url, policy) && !found.every(({ address }) => isPublicAddress(address))) {
      throw refuse(
        `The host ${url.hostname} has an address that is not on the public internet and is not allowed.`,
      );
    }
    return found;
  };
  return (hostname, options, callback) => {
    addressesOf(hostname).then(
      (found) => {
        if (options.all) callback(null, [...found]);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    );
  };
}
