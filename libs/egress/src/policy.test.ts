import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { notUrls, privateHosts } from '@millwright/testing';
import { createEgress, isPublicUrl, type EgressError } from './index.js';

async function listen(): Promise<{ server: Server; port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((_, response) => response.end('inside'));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  return { server, port: (server.address() as AddressInfo).port, connections: () => connections };
}

const refusal = expect.objectContaining({ name: 'EgressRefused', kind: 'refused' }) as Error;

const failureOf = (call: Promise<unknown>): Promise<EgressError> =>
  call.then(
    () => Promise.reject(new Error('the call was answered')),
    (error: unknown) => error as EgressError,
  );

describe('internal addresses', () => {
  let sentinel: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    sentinel = await listen();
  });
  afterAll(() => sentinel.server.close());

  it(`are refused in all ${2 * privateHosts.length} spellings, and no connection is opened`, async () => {
    expect(2 * privateHosts.length).toBeGreaterThanOrEqual(160);
    const egress = createEgress({ allowLoopback: false, allowHttp: true, allow: [] });
    const urls = privateHosts.flatMap((host) => [
      `http://${host}:${sentinel.port}/`,
      `https://${host}:${sentinel.port}/`,
    ]);
    for (const url of urls) expect([url, (await failureOf(egress.fetch(url))).kind]).toEqual([url, 'refused']);
    await egress.close();
    expect(sentinel.connections()).toBe(0);
  });

  it('are refused when a name resolves to them, even alongside a public address', async () => {
    const answers = [
      ['127.0.0.1'],
      ['::1'],
      ['93.184.216.34', '127.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['fe80::1%lo'],
      ['2606:4700::1111%lo'],
      ['nonsense'],
    ];
    for (const addresses of answers) {
      const resolve = () =>
        Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
      const egress = createEgress({ allowLoopback: false, allowHttp: true, allow: [], resolve });
      expect((await failureOf(egress.fetch(`http://rebind.example:${sentinel.port}/`))).kind).toBe('refused');
      await egress.close();
    }
    expect(sentinel.connections()).toBe(0);
  });

  it('are refused when a name that first resolved to an allowed address later resolves to them', async () => {
    const other = await listen();
    const answers = ['127.0.0.1', '127.0.0.2'];
    const resolve = () => Promise.resolve([{ address: answers.shift() ?? '127.0.0.2', family: 4 }]);
    const egress = createEgress({ allowLoopback: false, allowHttp: true, allow: ['127.0.0.1'], resolve });
    const url = `http://rebind.example:${other.port}/`;
    const first = await egress.fetch(url);
    expect(await first.text()).toBe('inside');
    other.server.closeAllConnections();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await failureOf(egress.fetch(url))).kind).toBe('refused');
    expect(other.connections()).toBe(1);
    await egress.close();
    other.server.close();
  });
});

describe('isPublicUrl', () => {
  it(`is false for ${privateHosts.length} spellings of private hosts, for http, for addresses with a user name, and for invalid URLs`, () => {
    const urls = [
      ...privateHosts.map((host) => `https://${host}/`),
      ...notUrls,
      ...['http://example.com/', 'data:image/png;base64,AA==', 'https://user:password@example.com/'],
    ];
    expect(urls.filter(isPublicUrl)).toEqual([]);
  });

  it('is true for https addresses of public hosts', () => {
    const urls = ['https://example.com/a.png?size=2', 'https://8.8.8.8/', 'https://[2606:4700::1111]:8443/'];
    expect(urls.filter(isPublicUrl)).toEqual(urls);
  });
});

describe('checkUrl', () => {
  const strict = createEgress({ allowLoopback: false, allowHttp: false, allow: [] });
  const development = createEgress({ allowLoopback: true, allowHttp: false, allow: [] });
  afterAll(() => Promise.all([strict.close(), development.close()]));

  it.each([
    ...notUrls,
    ...[
      'http://example.com/',
      'ftp://example.com/',
      'file:///etc/passwd',
      'data:text/plain,x',
      'gopher://example.com/',
      'javascript:1',
    ],
    ...[
      'https://user@example.com/',
      'https://user:password@example.com/',
      'https://:password@example.com/',
      'https://example.com:80@127.0.0.1/',
    ],
  ])('refuses %j', (url) => {
    expect(() => strict.checkUrl(url)).toThrow(refusal);
  });

  it.each(['https://example.com/', 'https://8.8.8.8/', 'https://[2606:4700::1111]:8443/path?query'])(
    'accepts %s',
    (url) => {
      expect(strict.checkUrl(url).href).toBe(url);
    },
  );

  it('allows http to this machine only in development mode', () => {
    for (const url of [
      'http://localhost:3000/',
      'http://127.0.0.1:3000/',
      'http://[::1]:3000/',
      'https://localhost/',
    ]) {
      expect(development.checkUrl(url).href).toBe(url);
    }
    for (const url of ['http://example.com/', 'http://10.0.0.1/', 'https://10.0.0.1/']) {
      expect(() => development.checkUrl(url)).toThrow(refusal);
    }
  });
});
