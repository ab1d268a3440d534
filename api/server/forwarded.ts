import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** The client of a request, as far as the proxies in between are trusted. */
export interface Client {
  readonly address: string;
  /** Whether the client sent it over https. */
  readonly isHttps: boolean;
  /** The origin that the client requested, as reported by a trusted proxy; null without one. */
  readonly origin: string | null;
}

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/**
 * Determines a request's client. X-Forwarded-For, -Proto and -Host count only from trusted proxies.
 *
 * @param trustedProxies Addresses and CIDRs.
 */
export function createClientOf(trustedProxies: readonly string[]): (request: IncomingMessage) => Client {
  const ranges = trustedProxies.map(toRange);
  const isTrusted = (address: string): boolean => {
    const parsed = parse(address);
    return (
      parsed !== null && ranges.some((range) => parsed.kind() === range[0].kind() && parsed.match(range))
    );
  };
  return (request) => clientOf(request, isTrusted);
}

function clientOf(
  { socket, headersDistinct }: IncomingMessage,
  isTrusted: (address: string) => boolean,
): Client {
  const peer = socket.remoteAddress ?? '';
  if (!isTrusted(peer)) return { address: peer, isHttps: false, origin: null };
  const said = (header: string): string[] =>
    (headersDistinct[header] ?? []).flatMap((value) => value.split(',')).map((value) => value.trim());
  // Each proxy appends the address it received the request from. Addresses left of an untrusted one may be forged.
  let address = peer;
  for (const hop of said('x-forwarded-for').reverse()) {
    if (!isTrusted(address)) break;
    const next = withoutPort(hop);
    if (parse(next) === null) break;
    address = next;
  }
  const proto = said('x-forwarded-proto').at(-1)?.toLowerCase();
  const host = said('x-forwarded-host').at(-1)?.toLowerCase();
  const isHttps = proto === 'https';
  const hasOrigin = (isHttps || proto === 'http') && host !== undefined && host !== '';
  return { address, isHttps, origin: hasOrigin ? `${proto}://${host}` : null };
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress ? ipaddr.process(address) : null;
}

function toRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Removes the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
