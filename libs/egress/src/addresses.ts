import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = [Address, number];

/** Azure's instance metadata and wire server: a global unicast address that leads into the private network. */
const hostServices = ipaddr.parseCIDR('168.63.129.16/32');

/** The only range from which IANA assigns global unicast addresses. ipaddr.js also calls unknown ranges `unicast`. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/** The address without brackets, or undefined when the text is a name. An address with a zone id is refused, because it names an interface of this machine. */
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
 * Whether the address belongs to the public internet. Forms of IPv6 that carry an IPv4 address (mapped, compatible, NAT64,
 * 6to4, Teredo) do not, whatever they carry: a network may route them to a private host.
 */
export function isGlobalUnicast(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6' ? address.match(globalIpv6) : !inNetwork(address, hostServices);
}

export function isLoopback(address: Address): boolean {
  return address.range() === 'loopback';
}
