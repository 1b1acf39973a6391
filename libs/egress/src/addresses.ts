import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = [Address, number];

/** Azure's service for instance metadata: a global unicast address that Azure routes to the private network. */
const hostServices = ipaddr.parseCIDR('168.63.129.16/32');

/** The only range of global unicast addresses that IANA assigns. ipaddr.js also labels unassigned ranges `unicast`. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/**
 * Returns the address without brackets; undefined for a name. Addresses with a zone id, which names a local interface,
 * are not accepted.
 */
export function parseAddress(text: string): Address | undefined {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (bare.includes('%')) return undefined;
  if (bare.includes(':')) return ipaddr.IPv6.isValid(bare) ? ipaddr.IPv6.parse(bare) : undefined;
  return ipaddr.IPv4.isValidFourPartDecimal(bare) ? ipaddr.IPv4.parse(bare) : undefined;
}

export function inNetwork(address: Address, network: Network): boolean {
  return address.kind() === network[0].kind() && address.match(network);
}

/**
 * Whether the address belongs to the public internet. The result is always false for IPv6 addresses that contain an
 * IPv4 address (mapped, compatible, NAT64, 6to4, Teredo), because a network may route them to a private host.
 */
export function isGlobalUnicast(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6' ? address.match(globalIpv6) : !inNetwork(address, hostServices);
}

export function isLoopback(address: Address): boolean {
  return address.range() === 'loopback';
}
