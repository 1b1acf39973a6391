// @ts-check
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setPriority } from 'node:os';
import { json } from 'node:stream/consumers';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';

/**
 * Two MCP servers in a separate process of low priority: one of 2025-11-25, whose streams never end and whose tool answers 60 MiB, and one
 * of 2026-07-28, whose tool requests a name from its user. The process prints the address of each server.
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

setPriority(10);
const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

function newAskingServer() {
  const mcp = new McpServer({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
  mcp.registerTool('ask', { description: 'Asks for a name.' }, () =>
    inputRequired({
      inputRequests: {
        name: inputRequired.elicit({ message: 'Your name?', requestedSchema: /** @type {never} */ (NAME) }),
      },
    }),
  );
  return mcp;
}

const asking = createServer(toNodeHandler(createMcpHandler(newAskingServer, { legacy: 'reject' })));
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
/** @param {import('node:http').Server} listening @returns {Promise<string>} */
async function addressOf(listening) {
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  const address = listening.address();
  return address !== null && typeof address === 'object' ? `http://127.0.0.1:${address.port}/mcp` : '';
}
process.stdout.write(JSON.stringify({ url: await addressOf(server), askingUrl: await addressOf(asking) }));
process.once('SIGTERM', () => process.exit(0));
