// @ts-check
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

/** The relay's rival: each request is read by the SDK's server and asked again by the SDK's client. No credential, no guard. */
const [port, upstream = ''] = process.argv.slice(2);
const client = new Client({ name: 'proxy', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(upstream)));
const handler = createMcpHandler(
  () => {
    const server = new Server({ name: 'proxy', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => client.listTools());
    server.setRequestHandler('tools/call', ({ params }) => client.callTool(params));
    return server;
  },
  { legacy: 'reject' },
);
createServer(toNodeHandler(handler)).listen(Number(port), '127.0.0.1');
