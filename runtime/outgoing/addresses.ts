import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Addresses in public ranges that nevertheless reach services of the host or its cloud. */
const privileged = new Set([
  '168.63.129.16', // Azure: the virtual machine's host, https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
]);

function lastFourBytes(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !privileged.has(address.toString());
}

/**
 * Whether a textual address is on the public internet: not loopback, private, link-local, shared (CGNAT), multicast,
 * reserved, for documentation or otherwise listed in IANA's registries of special-purpose addresses
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry). An IPv6 address that
 * represents an IPv4 address (mapped, or NAT64 with the well-known prefix) is judged by the IPv4 address. Other
 * embeddings of IPv4 (6to4, Teredo, compatible) are not public, and neither is an invalid address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return isPublicIPv4(address);
  if (address.isIPv4MappedAddress() || address.match(nat64)) return isPublicIPv4(lastFourBytes(address));
  return address.match(globalUnicast) && address.range() === 'unicast';
}
