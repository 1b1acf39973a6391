import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgress, type EgressError } from './index.js';

/** Addresses of our own or of nobody, in every spelling a URL parser, a resolver or a router might accept. */
const hosts = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '127.0.0.1.', '2130706433', '017700000001', '0x7f000001'],
  ...['0x7f.0.0.1', '0177.0.0.1', '0177.0.0.01', '0x7f.1', '127.0x0.0.1', '0X7F.0X0.0X0.0X1', '%31%32%37.0.0.1'],
  ...['127。0。0。1', '①②⑦.⓪.⓪.①', '１２７.0.0.1', '0', '0.0.0.0', '0x0', '00000000', '0.0.0.1'],
  ...['localhost', 'localhost.', 'LOCALHOST', 'LocalHost.', 'a.localhost', 'a.localhost.', 'ｌocalhost', 'l%6fcalhost'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[0:0::0:0]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:127.0.0.1]'],
  ...[
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
  ],
  ...['[64:ff9b:1::127.0.0.1]', '[2002:7f00:1::]', '[2002:7f00:1::1]', '[2001:0:7f00:1::]', '[::ffff:169.254.169.254]'],
  ...[
    '[::169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
  ],
  ...[
    '[fd12:3456::1]',
    '[ff02::1]',
    '[ff0e::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[2001:10::1]',
    '[2001:20::1]',
  ],
  ...['[5f00::1]', '[4000::1]', '[::2]', '[::ffff:8.8.8.8]', '[::8.8.8.8]'],
  ...[
    '169.254.169.254',
    '169.254.170.2',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '168.63.129.16',
  ],
  ...['10.0.0.1', '10.1', '012.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1', '3232235521'],
  ...[
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.254',
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
  ],
  ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '4294967295'],
];

const notUrls = [
  '',
  'localhost',
  '//127.0.0.1',
  'https://',
  'https://[::1%25lo]',
  'https://127.0.0.1.1',
  'https://[::1',
  'https://256.0.0.1',
];

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

describe('addresses of our own', () => {
  let sentinel: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    sentinel = await listen();
  });
  afterAll(() => sentinel.server.close());

  it(`are refused in all ${2 * hosts.length} spellings without one connection`, async () => {
    expect(2 * hosts.length).toBeGreaterThanOrEqual(160);
    const egress = createEgress({ allowLoopback: false, allowHttp: true, allow: [] });
    const urls = hosts.flatMap((host) => [`http://${host}:${sentinel.port}/`, `https://${host}:${sentinel.port}/`]);
    for (const url of urls) expect([url, (await failureOf(egress.fetch(url))).kind]).toEqual([url, 'refused']);
    await egress.close();
    expect(sentinel.connections()).toBe(0);
  });

  it('are refused behind names, even when a public address comes with them', async () => {
    const answers = [
      ['127.0.0.1'],
      ['::1'],
      ['93.184.216.34', '127.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['fe80::1%lo'],
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

  it('are refused when a name that was harmless before turns to them', async () => {
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

  it('lets development reach this machine by http, and nothing else by http', () => {
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
