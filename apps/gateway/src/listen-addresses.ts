import type { ListenAddress } from '@millwright/http/process';
import type { Config } from './config.js';

type ListenConfig = Pick<Config, 'HOST' | 'PORT' | 'BASE_URL' | 'RUNTIME_URL' | 'PROMPT_API_URL'>;

/**
 * Returns the addresses for PORT alone or, without PORT, for the port of each base address. `localhost` may resolve to `::1` first, so the
 * gateway listens on IPv6 loopback in addition to IPv4 loopback, if the machine has an IPv6 loopback address.
 */
export function listenAddresses({ HOST, PORT, BASE_URL, RUNTIME_URL, PROMPT_API_URL }: ListenConfig): ListenAddress[] {
  const bases = [BASE_URL, RUNTIME_URL, PROMPT_API_URL].map((base) => new URL(base));
  const ports = PORT === undefined ? new Set(bases.map(portOf)) : new Set([PORT]);
  const namesLocalhost = bases.some(({ hostname }) => hostname === 'localhost');
  const addLoopback = HOST === '127.0.0.1' || (HOST === '0.0.0.0' && namesLocalhost);
  return [...ports].flatMap((port) => [
    { host: HOST, port },
    ...(addLoopback ? [{ host: '::1', port, optional: true }] : []),
  ]);
}

const portOf = (base: URL) => Number(base.port || '80');
