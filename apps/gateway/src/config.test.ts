import { ConfigError } from '@millwright/config';
import { loadConfig } from './config.js';
import { listenAddresses } from './listen-addresses.js';

const env = {
  BASE_URL: 'http://localhost:8080',
  RUNTIME_URL: 'http://localhost:8081',
  PROMPT_API_URL: 'http://localhost:8082',
  ADMIN_AUTH_TARGETS: 'http://127.0.0.1:3001',
  PLATFORM_API_TARGETS: 'http://127.0.0.1:3002, http://127.0.0.1:3012',
  RUNTIME_API_TARGETS: 'http://127.0.0.1:3003',
  PROMPT_API_TARGETS: 'http://127.0.0.1:3004',
  ADMIN_PORT: '9000',
};

function faultsOf(changes: Record<string, string | undefined>): string {
  try {
    loadConfig({ ...env, ...changes });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  return 'none';
}

describe('the configuration', () => {
  it('contains the address of each replica of a service', () => {
    expect(loadConfig(env).PLATFORM_API_TARGETS).toEqual(['http://127.0.0.1:3002', 'http://127.0.0.1:3012']);
  });

  it.each([
    ['the same address twice', { RUNTIME_URL: env.BASE_URL }, 'RUNTIME_URL: must differ from BASE_URL by host or port'],
    [
      'the same host in another case',
      { PROMPT_API_URL: 'http://LOCALHOST:8081' },
      'PROMPT_API_URL: must differ from RUNTIME_URL',
    ],
    [
      "the same host with and without the scheme's default port",
      { BASE_URL: 'http://a', RUNTIME_URL: 'http://a:80' },
      'RUNTIME_URL: must differ',
    ],
    [
      'one host over http and https',
      { BASE_URL: 'http://a', RUNTIME_URL: 'https://a', PORT: '80' },
      'RUNTIME_URL: must differ',
    ],
    ['https without a port to listen on', { BASE_URL: 'https://a' }, 'BASE_URL: can be https only with PORT set'],
    ['no replica', { RUNTIME_API_TARGETS: ' , ' }, 'RUNTIME_API_TARGETS: must list addresses'],
    ['a replica over TLS', { RUNTIME_API_TARGETS: 'https://127.0.0.1:1' }, 'RUNTIME_API_TARGETS: must list addresses'],
    ['a missing list of replicas', { PROMPT_API_TARGETS: undefined }, 'PROMPT_API_TARGETS: is required'],
    ['a base address with a path', { BASE_URL: 'http://a/b' }, 'BASE_URL: must be a base address'],
  ])('refuses %s', (_name, changes, fault) => {
    expect(faultsOf(changes)).toContain(fault);
  });
});

describe('listenAddresses', () => {
  it('returns one address for the port of each base address, and also an IPv6 loopback address if a base address names localhost', () => {
    expect(listenAddresses(loadConfig(env))).toEqual(
      [8080, 8081, 8082].flatMap((port) => [
        { host: '0.0.0.0', port },
        { host: '::1', port, optional: true },
      ]),
    );
  });

  it('returns one address for two base addresses with the same port', () => {
    const bases = { BASE_URL: 'http://a.test', RUNTIME_URL: 'http://b.test', PROMPT_API_URL: 'http://c.test:81' };
    expect(listenAddresses(loadConfig({ ...env, ...bases })).map(({ port }) => port)).toEqual([80, 81]);
  });

  it('returns one address, with the port from PORT, when PORT is set', () => {
    const bases = { BASE_URL: 'https://a.test', RUNTIME_URL: 'https://b.test', PROMPT_API_URL: 'https://c.test' };
    expect(listenAddresses(loadConfig({ ...env, ...bases, PORT: '8443' }))).toEqual([{ host: '0.0.0.0', port: 8443 }]);
  });
});
