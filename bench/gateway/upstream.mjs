// @ts-check
import { createServer } from 'node:http';

/*
 * The upstream of gateway and nginx, in a separate process. It answers with 600 bytes. `/events` sends the first event of a stream that
 * stays open. A request body is read and dropped, and the time of its first byte is kept.
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
