import { once } from 'node:events';
import { createServer, request, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freeChunksWhenSent } from './free-chunks.js';

let server: Server;
let outgoing: ClientRequest;
let received: number;

beforeEach(async () => {
  received = 0;
  server = createServer((incoming, response) => {
    incoming.on('data', (chunk: Buffer) => (received += chunk.length));
    incoming.on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  outgoing = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', method: 'POST' });
  freeChunksWhenSent(outgoing);
});
afterEach(() => void server.close());

async function send(chunks: readonly Buffer[]): Promise<void> {
  const answered = once(outgoing, 'response');
  for (const chunk of chunks) outgoing.write(chunk);
  outgoing.end();
  await answered;
}

it('freeChunksWhenSent frees the memory of each large chunk after the chunk was sent completely', async () => {
  const chunks = Array.from({ length: 50 }, () => Buffer.from(new ArrayBuffer(65_536)));
  await send(chunks);
  expect(received).toBe(50 * 65_536);
  expect(chunks.map(({ buffer, byteLength }) => [buffer.byteLength, byteLength])).toEqual(chunks.map(() => [0, 0]));
});

it('freeChunksWhenSent does not free small chunks or chunks that are a part of a larger buffer', async () => {
  const whole = Buffer.from(new ArrayBuffer(100_000));
  const small = Buffer.from(new ArrayBuffer(1_000));
  await send([whole.subarray(0, 65_536), small]);
  expect([whole.byteLength, small.byteLength]).toEqual([100_000, 1_000]);
});
