import ipaddr from 'ipaddr.js';

/**
 * The key under which an address is counted. An IPv6 /64 counts as one caller, because one subscriber owns the whole
 * /64. An IPv4-mapped IPv6 address has the key of its IPv4 address. All texts that are not addresses share one key.
 */
export function ipKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
