// @ts-check
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { serveSessions } from './relay-sessions.mjs';

/**
 * A proxy with which the relay is compared. The SDK's server reads each request, and the SDK's client sends the request to the upstream in the
 * same MCP version. The proxy has no credentials, guards or audit. All callers of 2026-07-28 share one client; each session of 2025-11-25 has
 * a separate client.
 */
const [port, era, upstream = ''] = process.argv.slice(2);

async function connect() {
  const client = new Client({ name: 'proxy', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(upstream)));
  return client;
}

/** @param {Client} client */
function proxyOf(client) {
  const server = new Server({ name: 'proxy', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => client.listTools());
  server.setRequestHandler('tools/call', ({ params }) => client.callTool(params));
  return server;
}

async function modern() {
  const client = await connect();
  return toNodeHandler(createMcpHandler(() => proxyOf(client), { legacy: 'reject' }));
}

const serve = era === 'modern' ? await modern() : serveSessions(async () => proxyOf(await connect()));
createServer(serve).listen(Number(port), '127.0.0.1');
