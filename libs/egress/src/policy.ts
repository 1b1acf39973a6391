import { isGlobalUnicast, isLoopback, parseAddress, type Address } from './addresses.js';
import { createAllowList } from './allow-list.js';
import { EgressRefused } from './egress-error.js';

export interface PolicyOptions {
  /** Whether this machine may be called, also with http; for development. */
  allowLoopback: boolean;
  /** Whether http is allowed; for development. */
  allowHttp: boolean;
  /** Targets that are allowed in addition to the public internet: `host`, `host:port`, `CIDR`, `CIDR:port`. */
  allow: readonly string[];
}

export interface Target {
  host: string;
  port: number;
}

export interface Policy {
  /** Checks a URL as far as this is possible without the network. @throws EgressRefused when the policy does not allow the URL */
  checkUrl(url: string | URL): URL;
  /** Checks an address that a connection may use. @throws EgressRefused when the policy does not allow the address */
  checkAddress(target: Target, address: string): void;
  /**
   * Whether the target is internal: on the operator's list, or this machine. Calls to internal targets do not use the
   * proxy.
   */
  isInHouse(target: Target): boolean;
}

/** Returns host and port in a normal form: without brackets and root dot, and with the default port when the URL has none. */
export function targetOf(url: URL): Target {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  return { host, port: Number(url.port) || (url.protocol === 'http:' ? 80 : 443) };
}

/** Whether a name means this machine, as all names below `localhost` do (RFC 6761 §6.3). */
const isLocalhost = (host: string) => host === 'localhost' || host.endsWith('.localhost');

/**
 * Whether a URL is an https address on the public internet, as far as a check without a network can decide it. The
 * check is for addresses that other programs fetch. Settings of this installation that allow further targets have no
 * effect on it.
 */
export function isPublicUrl(url: string): boolean {
  try {
    createPolicy({ allowLoopback: false, allowHttp: false, allow: [] }).checkUrl(url);
    return true;
  } catch (error) {
    if (error instanceof EgressRefused) return false;
    throw error;
  }
}

export function createPolicy({ allowLoopback, allowHttp, allow }: PolicyOptions): Policy {
  const list = createAllowList(allow);

  const permits = ({ host, port }: Target, address: Address) =>
    isGlobalUnicast(address) ||
    (allowLoopback && isLoopback(address)) ||
    list.hasAddress(address, port) ||
    list.hasHost(host, port);

  function checkScheme(url: URL, loopback: boolean): void {
    if (url.protocol === 'https:') return;
    if (url.protocol === 'http:' && (allowHttp || (allowLoopback && loopback))) return;
    throw new EgressRefused(`Only https is allowed, not ${url.protocol.slice(0, -1)}.`);
  }

  return {
    checkUrl(input) {
      const url = URL.parse(String(input));
      if (!url) throw new EgressRefused('The address is not an absolute URL.');
      const target = targetOf(url);
      const address = parseAddress(target.host);
      checkScheme(url, address ? isLoopback(address) : isLocalhost(target.host));
      if (url.username || url.password) throw new EgressRefused('A URL must not carry a user or password.');
      if (!target.host) throw new EgressRefused('The URL names no host.');
      if (address && !permits(target, address)) throw new EgressRefused('That address is not a public one.');
      if (isLocalhost(target.host) && !allowLoopback && !list.hasHost(target.host, target.port)) {
        throw new EgressRefused('That host is not a public one.');
      }
      return url;
    },

    checkAddress(target, text) {
      const address = parseAddress(text);
      if (!address || !permits(target, address)) throw new EgressRefused(`${target.host} is not at a public address.`);
    },

    isInHouse(target) {
      const address = parseAddress(target.host);
      if (address) return isLoopback(address) || list.hasAddress(address, target.port);
      return isLocalhost(target.host) || list.hasHost(target.host, target.port);
    },
  };
}
