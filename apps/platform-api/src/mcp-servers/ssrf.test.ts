import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createFakeMcpServer,
  createTestDatabase,
  notUrls,
  privateHosts,
  type ClientAnswer,
  type FakeMcpServer,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { startPlatform, type TestPlatform } from '../test-platform.js';
import type { McpServer } from './mcp-servers.contract.js';

/** A server on every address of this machine, which must never be reached. */
interface Sentinel {
  server: Server;
  port: number;
  connections: number;
}

let database: TestDatabase;
let platform: TestPlatform;
let client: HttpClient;
/** An MCP server that the operator allows by address and port. */
let honest: FakeMcpServer;
let honestPort: number;
let sentinel: Sentinel;
let neighbour: Sentinel;
let names = 0;

/** Answers of the resolver for a name, one per query; the last answer repeats. */
const answers = new Map<string, string[]>();
const resolve = (name: string) => {
  const left = answers.get(name);
  const address = (left && left.length > 1 ? left.shift() : left?.[0]) ?? '';
  if (address === '') return Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
  return Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);
};

async function startSentinel(host: string, port: number): Promise<Sentinel> {
  const server = createServer((_request, response) => response.end('inside'));
  const started: Sentinel = { server, port, connections: 0 };
  server.on('connection', () => (started.connections += 1));
  await once(server.listen(port, host), 'listening');
  started.port = (server.address() as AddressInfo).port;
  return started;
}

beforeAll(async () => {
  database = await createTestDatabase();
  honest = await createFakeMcpServer('modern', [{ name: 'add', inputSchema: { type: 'object' } }]);
  honestPort = Number(new URL(honest.url).port);
  sentinel = await startSentinel('::', 0);
  neighbour = await startSentinel('127.0.0.2', honestPort);
  const allow = [`127.0.0.1/32:${honestPort}`];
  platform = await startPlatform(database.url, { allowLoopback: false, allowHttp: true, allow, resolve });
  client = await platform.clientOf('Core');
});
afterAll(async () => {
  await platform.close();
  await honest.close();
  for (const { server } of [sentinel, neighbour]) server.close();
  await database.drop();
});
beforeEach(() => {
  honest.behaviour = 'serve';
});

const SERVERS = '/api/v1/mcp/servers';
const register = (url: string) => client('POST', SERVERS, { json: { name: `Server ${++names}`, url } });
const outcomeOf = ({ status, body }: ClientAnswer) => [
  status,
  (body as { error?: { message: string } }).error?.message,
];
const REFUSED = [
  422,
  'The request has invalid values: url: must be the address of a public server that answers without a redirect, by https.',
];
const connections = () => [sentinel.connections, neighbour.connections];

describe('registering an MCP server', () => {
  const forms = (port: number): string[] => [
    ...privateHosts.flatMap((host) => [`http://${host}:${port}/mcp`, `https://${host}:${port}/mcp`]),
    ...notUrls.filter((url) => url !== ''),
    ...['ftp', 'file', 'gopher', 'ws', 'data', 'javascript', 'unix'].map(
      (scheme) => `${scheme}://127.0.0.1:${port}/mcp`,
    ),
    ...[`http://a@127.0.0.1:${port}/`, `http://a:b@example.com:${port}/`, `https://example.com@127.0.0.1:${port}/`],
    ...[
      `http://example.com:${port}@127.0.0.1:${port}/`,
      `http:\\\\127.0.0.1:${port}\\mcp`,
      `http:127.0.0.1:${port}/mcp`,
    ],
    ...[
      `  http://127.0.0.1:${port}/mcp`,
      `http://127.0.0.1:${port}#@example.com/`,
      `http://127.0.0.1:${port}?@example.com/`,
    ],
  ];

  it('answers 422 to each spelling of a private address, without revealing the cause, and does not connect', async () => {
    const urls = forms(sentinel.port);
    expect(urls.length).toBeGreaterThanOrEqual(200);
    for (const url of urls) expect([url, ...outcomeOf(await register(url))]).toEqual([url, ...REFUSED]);
    expect(connections()).toEqual([0, 0]);
    expect(await platform.db.prisma.mcpServer.count()).toBe(0);
  });

  const led: [string, string[]][] = [
    ['127.0.0.1.nip.example', ['127.0.0.1']],
    ['7f000001.nip.example', ['127.0.0.1']],
    ['metadata.example', ['169.254.169.254']],
    ['inside.example', ['10.0.0.1']],
    ['v6.example', ['::1']],
    ['mapped.example', ['::ffff:127.0.0.1']],
    ['nat64.example', ['64:ff9b::7f00:1']],
    ['zone.example', ['fe80::1%lo']],
    ['six-to-four.example', ['2002:7f00:1::1']],
    ['rebinding.example', ['93.184.216.34', '127.0.0.1']],
  ];
  it.each(led)(
    'answers 422 without revealing the cause when the name resolves to a private address: %s',
    async (name, sequence) => {
      for (const scheme of ['http', 'https']) {
        answers.set(name, [...sequence]);
        expect(outcomeOf(await register(`${scheme}://${name}:${sentinel.port}/mcp`))).toEqual(REFUSED);
      }
      expect(connections()).toEqual([0, 0]);
    },
  );

  it.each([
    ['to this machine', () => `http://127.0.0.1:${sentinel.port}/mcp`],
    ['to this machine by another spelling', () => `http://[::ffff:7f00:1]:${sentinel.port}/mcp`],
    ['to itself', () => honest.url],
    ['to a public address', () => 'https://example.com/mcp'],
    ['by a relative path', () => '/elsewhere'],
  ])('answers 422 without revealing the cause when the server redirects %s', async (_what, target) => {
    honest.behaviour = { redirect: target() };
    expect(outcomeOf(await register(honest.url))).toEqual(REFUSED);
    expect(connections()).toEqual([0, 0]);
  });

  it('accepts a name that does not resolve yet, and marks the server unreachable', async () => {
    answers.set('unknown.example', ['']);
    const { status, body } = await register('https://unknown.example/mcp');
    expect(status).toBe(201);
    await platform.probed();
    const { id } = body as { id: string };
    expect((await client('GET', `/api/v1/mcp/servers/${id}`)).body).toMatchObject({
      status: 'unreachable',
      last_error: 'The host name does not resolve.',
    });
  });

  it('accepts a private server that the operator allows', async () => {
    expect((await register(honest.url)).status).toBe(201);
    await platform.probed();
    expect(connections()).toEqual([0, 0]);
  });
});

describe('a registered MCP server', () => {
  const registered = async (url: string) => {
    const answer = await register(url);
    expect(answer.status).toBe(201);
    await platform.probed();
    return `${SERVERS}/${(answer.body as McpServer).id}`;
  };

  it('cannot be given a private URL', async () => {
    const path = await registered(honest.url);
    for (const url of ['127.0.0.1', '[::127.0.0.1]', 'localhost.', '2130706433'].map(
      (host) => `http://${host}:${sentinel.port}/`,
    ))
      expect(outcomeOf(await client('PATCH', path, { json: { url } }))).toEqual(REFUSED);
    expect(connections()).toEqual([0, 0]);
  });

  it('is marked unreachable at the next probe when its name resolves to a private address', async () => {
    answers.set('turns.example', ['127.0.0.1']);
    const path = await registered(`http://turns.example:${honestPort}/mcp`);
    expect((await client('GET', path)).body).toMatchObject({ status: 'active', tools_count: 1 });
    answers.set('turns.example', ['127.0.0.2']);
    honest.dropConnections();
    expect((await client('POST', `${path}/refresh`)).body).toMatchObject({
      status: 'unreachable',
      last_error: 'The address is not public, or redirects.',
    });
    expect(connections()).toEqual([0, 0]);
  });

  it('is marked unreachable at the next probe when it redirects to a private address', async () => {
    const path = await registered(honest.url);
    honest.behaviour = { redirect: `http://127.0.0.1:${sentinel.port}/mcp` };
    expect((await client('POST', `${path}/refresh`)).body).toMatchObject({ status: 'unreachable' });
    expect(connections()).toEqual([0, 0]);
  });
});
