import { BlockList, isIP } from 'node:net';
import { field } from '@millwright/config';
import type { Project } from '@millwright/auth';
import { z } from 'zod';

const NOT_NETWORKS = 'must list addresses and networks such as 10.0.0.0/8 or 2001:db8::/32, separated by commas';

interface Network {
  address: string;
  family: 'ipv4' | 'ipv6';
  prefix: number;
}

/** Parses an address or a network in CIDR notation; returns `undefined` for any other text. */
function parseNetwork(text: string): Network | undefined {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return undefined;
  const bits = version === 4 ? 32 : 128;
  const length = Number(prefix ?? bits);
  return length <= bits ? { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix: length } : undefined;
}

const networkList = () =>
  field.list(z.string().refine((text) => parseNetwork(text) !== undefined, NOT_NETWORKS)).default([]);

/**
 * Networks from which accounts with administrative rights may use the console, by the project of the account. An empty list means that all
 * networks are allowed. The networks of `Core` apply to all projects except `Commerce`, so that a new project cannot bypass them.
 */
export const networksConfig = {
  SECURITY_ADMIN_NETWORKS_CORE: networkList(),
  SECURITY_ADMIN_NETWORKS_COMMERCE: networkList(),
};
export type NetworksConfig = Readonly<Partial<Record<keyof typeof networksConfig, readonly string[]>>>;

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const { address, family, prefix } of networks.flatMap((text) => parseNetwork(text) ?? []))
    list.addSubnet(address, prefix, family);
  return list;
}

/**
 * Returns a function that decides whether an account of the project may use the console from the address. An unknown address is in no
 * network.
 */
export function createAdminNetworks(config: NetworksConfig): (project: Project, address: string) => boolean {
  const core = config.SECURITY_ADMIN_NETWORKS_CORE ?? [];
  const commerce = config.SECURITY_ADMIN_NETWORKS_COMMERCE ?? [];
  const [ofCore, ofCommerce] = [core, commerce].map((networks) => networks.length > 0 && blockListOf(networks));
  return (project, address) => {
    const networks = project === 'Commerce' ? ofCommerce : ofCore;
    if (!networks) return true;
    const version = isIP(address);
    return version !== 0 && networks.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}
