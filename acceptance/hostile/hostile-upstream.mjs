// @ts-check
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * An MCP server of 2025-11-25 as a process of its own, whose streams never end and whose tool answers 60 MiB. Prints its address.
 */
const CHUNK = Buffer.from('{},'.repeat(350_000));
const CHUNKS = 60;
const TOOL = { name: 'flood', description: 'Answers more than anyone needs.', inputSchema: { type: 'object' } };
const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'hostile', version: '1' },
};

/** @param {import('node:http').ServerResponse} response @param {string} head */
function flood(response, head) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(head);
  let left = CHUNKS;
  const more = () => {
    while (left-- > 0 && !response.destroyed) {
      if (!response.write(CHUNK)) {
        response.once('drain', more);
        return;
      }
    }
    response.end('{}]}}');
  };
  more();
}

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
    return;
  }
  const { id, method } = /** @type {{ id?: unknown, method?: string }} */ (await json(request));
  /** @param {object} result */
  const answer = (result) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (id === undefined) response.writeHead(202).end();
  else if (method === 'initialize') answer(INITIALIZED);
  else if (method === 'tools/list') answer({ tools: [TOOL] });
  else if (method === 'tools/call')
    flood(response, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[`);
  else
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}/mcp\n`);
});
process.once('SIGTERM', () => process.exit(0));
