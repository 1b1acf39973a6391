import ipaddr from 'ipaddr.js';
import { inNetwork, parseAddress, type Address, type Network } from './addresses.js';

/** A target that the operator allows. Without a port, all ports of the target are allowed. */
export type AllowEntry = { port: number | undefined } & ({ host: string } | { network: Network });

const hostname = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/;

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  return port >= 1 && port <= 65_535 ? port : NaN;
}

/** Splits `target:port`. An IPv6 target with a port is written in brackets. */
function splitPort(text: string): [target: string, port: string | undefined] {
  const match = /^(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[^:]+))(?::(?<port>\d{1,5}))?$/.exec(text);
  if (!match?.groups) return [text, undefined];
  return [match.groups.bracketed ?? match.groups.plain ?? '', match.groups.port];
}

function parseNetwork(target: string): Network | undefined {
  const address = parseAddress(target);
  if (address) return [address, address.kind() === 'ipv4' ? 32 : 128];
  const [base = '', prefix = ''] = target.split('/');
  return /^\d+$/.test(prefix) && parseAddress(base) && ipaddr.isValidCIDR(target)
    ? ipaddr.parseCIDR(target)
    : undefined;
}

/** Reads `host`, `host:port`, `address`, `CIDR`, `CIDR:port` or `[IPv6 or its CIDR]:port`; undefined for any other text. */
export function parseAllowEntry(text: string): AllowEntry | undefined {
  const [target, portText] = splitPort(text.trim().toLowerCase());
  const port = parsePort(portText);
  if (Number.isNaN(port)) return undefined;
  const network = parseNetwork(target);
  if (network) return { network, port };
  const host = target.replace(/\.$/, '');
  return hostname.test(host) && !/^[\d.]+$/.test(host) ? { host, port } : undefined;
}

export interface AllowList {
  /**
   * Whether the operator's list contains this host and port. Every address to which the host resolves is then allowed.
   */
  hasHost(host: string, port: number): boolean;
  hasAddress(address: Address, port: number): boolean;
}

/** Makes the operator's list of allowed targets. @throws Error that names the first entry that cannot be read. */
export function createAllowList(texts: readonly string[]): AllowList {
  const entries = texts.map((text) => {
    const entry = parseAllowEntry(text);
    if (!entry) throw new Error(`Not an egress allow entry: ${text}`);
    return entry;
  });
  const forPort = (port: number) => entries.filter((entry) => entry.port === undefined || entry.port === port);
  return {
    hasHost: (host, port) => forPort(port).some((entry) => 'host' in entry && entry.host === host),
    hasAddress: (address, port) =>
      forPort(port).some((entry) => 'network' in entry && inNetwork(address, entry.network)),
  };
}
