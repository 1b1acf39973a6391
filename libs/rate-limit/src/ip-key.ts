import ipaddr from 'ipaddr.js';

/**
 * The key an address is counted under. A subscriber owns a whole IPv6 /64, so that is one caller; an IPv4-mapped IPv6
 * address is its IPv4 address. What is not an address shares one key.
 */
export function ipKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
