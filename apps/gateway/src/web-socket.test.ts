import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { hosts, sendRaw, startGateway, unreachable, type TestServer } from './test-gateway.js';

/** The fixed text of the handshake (RFC 6455 §1.3). */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

let asked: IncomingMessage[] = [];
/** The bytes that the service sends directly after the upgrade. */
let greeting = '';
const sockets = new Set<Socket>();
/** Service that accepts any WebSocket and sends received bytes back in capitals. It does not parse WebSocket frames. */
const service = createServer((request, response) => {
  asked.push(request);
  response.end('an answer');
});
service.on('upgrade', (request: IncomingMessage, socket: Socket) => {
  asked.push(request);
  sockets.add(socket);
  socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  if (request.url === '/refused') {
    socket.end('HTTP/1.1 426 Upgrade Required\r\nSec-WebSocket-Version: 13\r\nContent-Length: 3\r\n\r\nno!');
    return;
  }
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
  const protocol = request.url === '/other' ? 'h2c' : 'websocket';
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${protocol}\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n${greeting}`,
  );
  socket.on('data', (chunk: Buffer) => socket.write(chunk.toString('latin1').toUpperCase(), 'latin1'));
  socket.on('end', () => socket.end());
});

let gateway: TestServer;
beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  gateway = await startGateway({ runtime: [url] }, { UPSTREAM_IDLE_TIMEOUT_MS: '700' });
});
beforeEach(() => {
  asked = [];
  greeting = '';
});
afterAll(async () => {
  await gateway.stop();
  service.close();
});

const key = randomBytes(16).toString('base64');
const lines = (path: string, ...more: string[]) =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: ${hosts.runtime}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${key}`,
    ...more,
    '',
    '',
  ].join('\r\n');

function open(bytes: string) {
  const socket = connect(gateway.port, '127.0.0.1').setEncoding('latin1');
  let got = '';
  socket.on('data', (chunk: string) => (got += chunk));
  socket.write(bytes, 'latin1');
  const untilHas = async (text: string) => {
    while (!got.includes(text)) await once(socket, 'data');
    return got;
  };
  return { socket, untilHas };
}

describe('a WebSocket to a route of a service', () => {
  it('is opened by the service and carries bytes in both directions simultaneously', async () => {
    const { socket, untilHas } = open(lines('/api/v1/live'));
    const head = await untilHas('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    expect(head.toLowerCase()).toContain('upgrade: websocket');
    expect(head).toContain(createHash('sha1').update(`${key}${GUID}`).digest('base64'));
    socket.write('there and back');
    await untilHas('THERE AND BACK');
    socket.write('again');
    await untilHas('AGAIN');
    socket.end();
    await once(socket, 'close');
  });

  it("reaches the service with the gateway's headers and without the caller's forged headers", async () => {
    const { socket, untilHas } = open(lines('/x', 'X-User-Id: usr_admin', 'X-Forwarded-For: 203.0.113.9'));
    await untilHas('\r\n\r\n');
    socket.destroy();
    expect(asked[0]?.headers).toMatchObject({
      host: hosts.runtime,
      upgrade: 'websocket',
      connection: 'Upgrade',
      'x-forwarded-for': '127.0.0.1',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    expect(asked[0]?.headers).not.toHaveProperty('x-user-id');
  });

  it('delivers bytes that either side sent before the upgrade', async () => {
    greeting = 'hello from the service';
    const { socket, untilHas } = open(`${lines('/early')}too early`);
    const got = await untilHas('TOO EARLY');
    expect(got).toContain('hello from the service');
    socket.destroy();
  });

  it('is closed for the service when the caller disconnects, and for the caller when the service disconnects', async () => {
    const first = open(lines('/a'));
    await first.untilHas('\r\n\r\n');
    const [atService] = sockets;
    first.socket.destroy();
    if (atService && !atService.closed) await once(atService, 'close');
    const second = open(lines('/b'));
    await second.untilHas('\r\n\r\n');
    for (const socket of sockets) socket.destroy();
    await once(second.socket, 'close');
  });

  it('is closed when neither side sends a byte within the idle timeout', async () => {
    const { socket, untilHas } = open(lines('/silent'));
    await untilHas('\r\n\r\n');
    const began = performance.now();
    await once(socket, 'close');
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('a WebSocket request that is not upgraded', () => {
  const smuggled = `GET /smuggled HTTP/1.1\r\nHost: ${hosts.runtime}\r\n\r\n`;
  const paths = () => asked.map(({ url }) => url);

  it("gets the service's refusal, and further requests on the same connection are not forwarded", async () => {
    const answer = await sendRaw(gateway, lines('/refused') + smuggled);
    expect(answer).toMatch(/^HTTP\/1\.1 426 [^]*no!$/);
    expect(paths()).toEqual(['/refused']);
  });

  it('is answered 503 when the service upgrades to another protocol', async () => {
    const answer = await sendRaw(gateway, lines('/other') + smuggled);
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(paths()).toEqual(['/other']);
  });

  it.each([
    ['for a host that nobody serves', lines('/x').replace(hosts.runtime, 'evil.test'), 421],
    ['for an ambiguous path', lines('/a/../b'), 400],
    ['for a service that is down', lines('/x').replace(hosts.runtime, hosts.prompt), 503],
    ['with two hosts', lines('/x', 'Host: evil.test'), 400],
  ])('%s is answered with an error', async (_why, bytes, status) => {
    const answer = await sendRaw(gateway, bytes + smuggled);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\n\\r\\n\\{"`));
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(paths()).toEqual([]);
  });

  it.each([
    ['a body', lines('/x', 'Content-Length: 0')],
    ['the method DELETE', lines('/x').replace('GET', 'DELETE')],
    ['HTTP/1.0', lines('/x').replace('HTTP/1.1', 'HTTP/1.0')],
    ['Upgrade: h2c', lines('/x').replace('websocket', 'h2c')],
  ])('with %s is forwarded as a plain request', async (_what, bytes) => {
    const answer = await sendRaw(gateway, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*an answer/);
    expect(asked[0]?.headers).not.toHaveProperty('upgrade');
  });
});

describe('a gateway that stops', () => {
  it('ends its WebSockets and exits before its deadline', async () => {
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const stopping = await startGateway({ runtime: [url], prompt: [unreachable] });
    const socket = connect(stopping.port, '127.0.0.1');
    socket.write(lines('/stop'));
    await once(socket, 'data');
    const closed = once(socket, 'close');
    const began = performance.now();
    await stopping.stop();
    await closed;
    expect(performance.now() - began).toBeLessThan(8_000);
  });
});
