// @ts-check
import { createServer } from 'node:http';

/*
 * What the gateway and nginx forward to, in a process of its own: 600 bytes; `/events` as the first event of a stream that
 * stays open; a body is read and dropped, its first byte noted.
 */
const body = Buffer.alloc(600, 'x');
const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.url === '/api/v1/events') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: first\n\n');
    return;
  }
  if (request.method === 'GET') {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
    return;
  }
  let bytes = 0;
  let firstAt = 0;
  request.on('data', (chunk) => {
    firstAt ||= Date.now();
    bytes += chunk.length;
  });
  request.on('end', () => response.end(JSON.stringify({ bytes, firstAt })));
});
server.requestTimeout = 0;
server.listen(Number(process.argv[2]), '127.0.0.1');
