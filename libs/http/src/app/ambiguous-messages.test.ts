import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createLogger, createMetrics } from '../process/index.js';
import { createServiceApp } from './service-app.js';

let server: Server;
const handled: string[] = [];

beforeAll(async () => {
  const app = createServiceApp({
    area: 'runtime',
    logger: createLogger({ service: 'test', level: 'silent', version: 'test' }),
    metrics: createMetrics({ service: 'test', version: 'test' }),
    trustedProxyHops: 0,
    handlers: [
      (request, response) => {
        handled.push(request.url);
        response.json({ path: request.path });
      },
    ],
  });
  // Created as in `startService`: the app itself answers requests without a Host header.
  server = createServer({ requireHostHeader: false }, app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => handled.splice(0));
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Returns everything that the service sends on a connection on which it receives these bytes. */
function send(bytes: string): Promise<string> {
  const { address, port } = server.address() as AddressInfo;
  const socket = connect(port, address);
  socket.end(bytes);
  return socket.toArray().then((chunks) => Buffer.concat(chunks as Buffer[]).toString());
}
const request = (line: string, ...headers: string[]) => [line, ...headers, '', ''].join('\r\n');
const host = 'Host: runtime.example.com';
const next = request('GET /next HTTP/1.1', host);

describe('a service without a gateway in front', () => {
  it('handles an unambiguous request', async () => {
    expect(await send(request('GET /agents/a%20b?x=/../y HTTP/1.1', host, 'Connection: close'))).toMatch(
      /^HTTP\/1.1 200 /,
    );
    expect(handled).toEqual(['/agents/a%20b?x=/../y']);
  });

  it.each([
    ['a dot segment', request('GET /a/../b HTTP/1.1', host)],
    ['an encoded dot segment', request('GET /a/%2e%2e/b HTTP/1.1', host)],
    ['an empty segment', request('GET //a HTTP/1.1', host)],
    ['a backslash', request('GET /a\\b HTTP/1.1', host)],
    ['a fragment', request('GET /a#b HTTP/1.1', host)],
    ['an absolute target', request('GET http://other.example.com/a HTTP/1.1', host)],
    ['two hosts', request('GET /a HTTP/1.1', host, 'Host: other.example.com')],
    ['no host', request('GET /a HTTP/1.1')],
    [
      'a transfer coding besides chunked',
      request('POST /a HTTP/1.1', host, 'Transfer-Encoding: gzip, chunked') + '0\r\n\r\n',
    ],
  ])('answers 400 to %s, and handles nothing that follows on the connection', async (_what, bytes) => {
    const answer = await send(bytes + next);
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*\r\nConnection: close\r\n/);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(handled).toEqual([]);
  });
});
