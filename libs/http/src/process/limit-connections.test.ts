import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { renderers } from '@millwright/errors';
import { createConnectionLimit, type ConnectionLimits } from './limit-connections.js';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
});

let requests = 0;
beforeEach(() => {
  requests = 0;
});

async function serve(limits: ConnectionLimits, ports = 1): Promise<number[]> {
  const limit = createConnectionLimit(limits, renderers.platform);
  const opened: number[] = [];
  for (let n = 0; n < ports; n += 1) {
    const server = createServer((_request, response) => {
      requests += 1;
      response.end('ok');
    });
    server.keepAliveTimeout = 600_000;
    limit(server);
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    servers.push(server);
    opened.push((server.address() as AddressInfo).port);
  }
  return opened;
}

async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const ADDRESSES = Array.from({ length: 11 }, (_, n) => `127.0.0.${n + 2}`);
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** First line of the answer to a request, and its header Retry-After. */
async function ask(port: number, localAddress: string) {
  const socket = await open(port, localAddress);
  socket.write(REQUEST);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return {
    socket,
    status: String(answer).slice(9, 12),
    retryAfter: /^retry-after: (.*)\r$/im.exec(String(answer))?.[1],
  };
}

describe('a connection', () => {
  it('is answered 429 without being read when its address has reached the limit; other addresses are served', async () => {
    const [port = 0] = await serve({ all: 1_000, perAddress: 20 });
    const silent = await Promise.all(ADDRESSES.flatMap((from) => Array.from({ length: 20 }, () => open(port, from))));
    for (const from of ADDRESSES) {
      const { status, retryAfter, socket } = await ask(port, from);
      expect({ from, status, retryAfter }).toEqual({ from, status: '429', retryAfter: '1' });
      if (!socket.closed) await once(socket, 'close');
    }
    expect(requests).toBe(0);
    expect((await ask(port, '127.0.0.1')).status).toBe('200');
    const freed = silent[0];
    freed?.destroy();
    for (;;) {
      const { status } = await ask(port, ADDRESSES[0] ?? '');
      if (status === '200') break;
      await sleep(10);
    }
  });

  it('counts against the same limit on every port of the process', async () => {
    const [first = 0, second = 0] = await serve({ all: 1_000, perAddress: 2 }, 2);
    await open(first, '127.0.0.2');
    await open(second, '127.0.0.2');
    expect((await ask(first, '127.0.0.2')).status).toBe('429');
    expect((await ask(second, '127.0.0.2')).status).toBe('429');
  });

  it('is answered 503 when the process has too many connections; idle connections are closed, so that later connections are served', async () => {
    const [port = 0] = await serve({ all: 5, perAddress: 1_000 });
    for (let n = 0; n < 5; n += 1) await ask(port, ADDRESSES[n] ?? '');
    expect((await ask(port, '127.0.0.9')).status).toBe('503');
    for (;;) {
      const { status } = await ask(port, '127.0.0.9');
      if (status === '200') break;
      await sleep(10);
    }
  });

  it('is closed within seconds after it was refused', async () => {
    const [port = 0] = await serve({ all: 1, perAddress: 1_000 });
    await open(port, '127.0.0.2');
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    sockets.push(socket);
    const answer = await text(socket);
    expect(answer).toContain('503');
    await once(socket.end(), 'close');
    expect(await new Promise((resolve) => get({ port, agent: false }, (reply) => resolve(reply.statusCode)))).toBe(503);
  });
});
