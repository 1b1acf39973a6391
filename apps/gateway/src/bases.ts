import type { Area } from '@millwright/errors';

/** One base address, and which area serves a path below it. */
export interface Base {
  /** As clients see it; the host carries the port unless it is the scheme's own. */
  host: string;
  protocol: 'http' | 'https';
  port: string;
  areaOf: (path: string) => Area | undefined;
  /** Whose envelope says that a path below it does not exist. */
  envelope: Area;
}

interface BaseAddresses {
  BASE_URL: string;
  RUNTIME_URL: string;
  PROMPT_API_URL: string;
}

const isBelow = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);

function adminOrPlatform(path: string): Area | undefined {
  if (path.startsWith('/api/v1/core/oauth/')) return 'admin';
  if (isBelow(path, '/api/v1')) return 'platform';
  if (isBelow(path, '/admin') || isBelow(path, '/bridge-auth')) return 'admin';
  return undefined;
}

const portOf = ({ protocol, port }: URL) => port || (protocol === 'https:' ? '443' : '80');

/** The `Host` headers, in lower case, that name a base address: the scheme's own port may be left out. */
export function hostsOf(address: string): string[] {
  const url = new URL(address);
  return [...new Set([url.host, `${url.hostname}:${portOf(url)}`])];
}

/** Finds the base address that a `Host` header names exactly: in any case, with or without the scheme's own port. */
export function createBaseTable({ BASE_URL, RUNTIME_URL, PROMPT_API_URL }: BaseAddresses) {
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
  return { find: (hostHeader: string): Base | undefined => table.get(hostHeader.toLowerCase()) };
}
