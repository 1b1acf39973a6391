import type { Area } from '@millwright/errors';

/** A base address, and the services that answer the paths below it. */
export interface Base {
  /** Host name and port for clients. The port is left out if it is the scheme's default port. */
  host: string;
  protocol: 'http' | 'https';
  port: string;
  areaOf: (path: string) => Area | undefined;
  /** The service in whose error format unknown paths are answered. */
  envelope: Area;
}

export interface BaseTable {
  find: (hostHeader: string | undefined) => Base | undefined;
}

interface BaseAddresses {
  BASE_URL: string;
  RUNTIME_URL: string;
  PROMPT_API_URL: string;
}

/** Single paths below BASE_URL that admin-auth serves, in addition to its folders such as `/admin`. */
const DISCOVERY = new Set(['/llms.txt', '/.well-known/millwright.json']);

const isBelow = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);

function adminOrPlatform(path: string): Area | undefined {
  if (path.startsWith('/api/v1/core/oauth/')) return 'admin';
  if (isBelow(path, '/api/v1')) return 'platform';
  if (['/admin', '/chat', '/docs', '/bridge-auth', '/scim/v2'].some((prefix) => isBelow(path, prefix))) return 'admin';
  if (DISCOVERY.has(path)) return 'admin';
  return undefined;
}

const portOf = ({ protocol, port }: URL) => port || (protocol === 'https:' ? '443' : '80');

/** The `Host` headers of a base address, in lower case, with and without the scheme's default port. */
export function hostsOf(address: string): string[] {
  const url = new URL(address);
  return [...new Set([url.host, `${url.hostname}:${portOf(url)}`])];
}

/** Finds the base address for a `Host` header, in any letter case, with or without the scheme's default port. */
export function createBaseTable({ BASE_URL, RUNTIME_URL, PROMPT_API_URL }: BaseAddresses): BaseTable {
  const table = new Map<string, Base>();

  function add(address: string, rest: Pick<Base, 'areaOf' | 'envelope'>) {
    const url = new URL(address);
    const protocol = url.protocol === 'https:' ? 'https' : 'http';
    const base: Base = { host: url.host, protocol, port: portOf(url), ...rest };
    for (const host of hostsOf(address)) table.set(host, base);
  }

  add(BASE_URL, { areaOf: adminOrPlatform, envelope: 'platform' });
  add(RUNTIME_URL, { areaOf: () => 'runtime', envelope: 'runtime' });
  add(PROMPT_API_URL, { areaOf: () => 'prompt', envelope: 'prompt' });
  return { find: (hostHeader = '') => table.get(hostHeader.toLowerCase()) };
}
