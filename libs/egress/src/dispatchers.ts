import { lookup as resolve } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import { ConfigError } from '@millwright/config';
import { Agent, Pool, ProxyAgent, buildConnector, type Dispatcher } from 'undici';
import { EgressError, toEgressError } from './egress-error.js';
import { targetOf, type Policy, type Target } from './policy.js';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Resolves all addresses of a name. Tests pass their own function. */
export type ResolveName = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const resolveName: ResolveName = (hostname) => resolve(hostname, { all: true, order: 'verbatim' });

const connectTimeoutMs = 5_000;

/** Idle connections close within 5 s, even when a server proposes a longer keep-alive. */
const idleMs = 4_000;
const pooling = { keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs, headersTimeout: 0, bodyTimeout: 0 };

/**
 * The certificates that TLS connections trust. The values are stated explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn
 * verification off.
 */
export interface TlsTrust {
  ca: string[];
  rejectUnauthorized: true;
}

/**
 * Loads the certificate authorities of Node and those of the operator's file.
 * @throws ConfigError when the file cannot be read.
 */
export function loadTrust(caFile: string | undefined): TlsTrust {
  const ca = getCACertificates('default');
  if (!caFile) return { ca, rejectUnauthorized: true };
  try {
    return { ca: [...ca, readFileSync(caFile, 'utf8')], rejectUnauthorized: true };
  } catch {
    throw new ConfigError([{ variable: 'EGRESS_CA_FILE', reason: 'names a file that cannot be read' }]);
  }
}

/**
 * Resolves the name of a target. Refuses the name when the policy refuses any of its addresses, because the connection
 * may use any of them.
 *
 * @throws EgressError refused or unresolvable, or the resolver's failure
 */
export async function resolveChecked(target: Target, hostname: string, policy: Policy, resolveHost: ResolveName) {
  const addresses = await resolveHost(hostname);
  const [first] = addresses;
  if (!first) throw new EgressError('unresolvable', `${target.host} has no address.`);
  for (const { address } of addresses) policy.checkAddress(target, address);
  return { first, addresses: [...addresses] };
}

function checkedLookup(target: Target, policy: Policy, resolveHost: ResolveName): LookupFunction {
  return (hostname, { all }, callback) => {
    resolveChecked(target, hostname, policy, resolveHost).then(
      ({ first, addresses }) => (all ? callback(null, addresses) : callback(null, first.address, first.family)),
      (error: unknown) => callback(toEgressError(error), []),
    );
  };
}

/**
 * Connects only to addresses that the policy allows. Each new connection is checked. One connection is opened for each
 * concurrent call; connection-shares.ts limits the number of connections by owner.
 */
export function createCheckedDispatcher(policy: Policy, trust: TlsTrust, resolveHost: ResolveName): Dispatcher {
  return new Agent({
    ...pooling,
    factory: (origin, options) => {
      const target = targetOf(new URL(origin));
      const lookup = checkedLookup(target, policy, resolveHost);
      const connect = buildConnector({ ...trust, timeout: connectTimeoutMs, lookup });
      return new Pool(origin, {
        ...(options as Pool.Options),
        connect: (request, callback) => {
          try {
            if (isIP(request.hostname)) policy.checkAddress(target, request.hostname);
          } catch (error) {
            callback(toEgressError(error), null);
            return;
          }
          connect(request, callback);
        },
      });
    },
  });
}

export function createDirectDispatcher(trust: TlsTrust, connections: number): Dispatcher {
  return new Agent({ ...pooling, connections, connect: { ...trust, timeout: connectTimeoutMs } });
}

/** Connects through the proxy. The proxy resolves names, and decides which hosts are allowed. */
export function createProxyDispatcher(proxy: string, trust: TlsTrust, connections?: number): Dispatcher {
  const limit = connections === undefined ? {} : { connections };
  return new ProxyAgent({ ...pooling, ...limit, uri: proxy, requestTls: trust, proxyTls: trust });
}
