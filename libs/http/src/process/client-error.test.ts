import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { renderers } from '@millwright/errors';
import { answerClientError } from './client-error.js';

let server: Server;

beforeEach(async () => {
  const limits = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };
  server = createServer(limits, (_request, response) => response.end('hello'));
  server.on('clientError', (failure, socket) => answerClientError(failure, socket, renderers.runtime));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends these bytes, and returns everything that arrives until the service closes the connection. */
async function sent(bytes: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  if (bytes !== '') socket.write(bytes);
  return text(socket);
}

describe('a connection whose request does not arrive in time', () => {
  it('is closed without an answer when no byte has arrived', async () => {
    expect(await sent('')).toBe('');
  });

  it.each([
    ['its head', 'GET / HTTP/1.1\r\nHost: a\r\nX-Part: '],
    ['its request line', 'GET /'],
  ])('is answered 408 when only a part of %s has arrived', async (_part, bytes) => {
    const answer = await sent(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
  });
});
