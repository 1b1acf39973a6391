import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readBody } from 'node:stream/consumers';
import { listen } from '@millwright/testing';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { classifyInboundRequest, createMcpHandler, McpServer, type ServerNotifier } from '@modelcontextprotocol/server';
import { addExamplePrompts, addExampleResources } from './example-features.js';
import { addInputRequestTools, STATE } from './example-input-requests.js';
import { addExampleTools } from './example-tools.js';

export type Era = '2025-11-25' | '2026-07-28';

/** The MCP versions that an example server supports. */
export type ExampleVersions = Era | 'both';

export interface ExampleServer {
  url: string;
  close: () => Promise<void>;
}

/** Methods that notify the subscribers of changes. */
type Changes = Pick<ServerNotifier, 'toolsChanged' | 'promptsChanged'>;

/** Handles a request. `body` is the parsed body if another function has already read it. */
type Handle = (request: IncomingMessage, response: ServerResponse, body?: unknown) => Promise<void>;

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const;
const HINT = { ttlMs: 300_000, cacheScope: 'public' } as const;

/** Starts a server with the features that the conformance runner tests, in one MCP version or in both. It is built with the official SDK. */
export async function startExampleServer(versions: ExampleVersions): Promise<ExampleServer> {
  const handle = { '2025-11-25': legacy, '2026-07-28': modern, both }[versions]();
  const app = await listen((request, response) => {
    // Refuses other hosts, as the specification's "Security warning" for transports requires against DNS rebinding.
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) response.writeHead(403).end();
    else handle(request, response).catch(() => response.destroy());
  });
  return { url: `${app.url}/mcp`, close: app.close };
}

function newServer(notify: Changes): McpServer {
  const mcp = new McpServer(
    { name: 'example', version: '1' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        completions: {},
      },
      cacheHints: Object.fromEntries(LISTS.map((method) => [method, HINT])),
      requestState: STATE,
    },
  );
  addExampleTools(mcp, notify);
  addInputRequestTools(mcp);
  addExampleResources(mcp);
  addExamplePrompts(mcp);
  mcp.server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return mcp;
}

function modern(): Handle {
  const handler = createMcpHandler(() => newServer(handler.notify), { legacy: 'reject' });
  const serve = toNodeHandler(handler);
  return async (request, response, body) => serve(request, response, body);
}

/** Makes a handler that serves each request in the request's MCP version: with sessions for 2025-11-25, without sessions for 2026-07-28. */
function both(): Handle {
  const [later, earlier] = [modern(), legacy()];
  return async (request, response) => {
    const text = request.method === 'POST' ? await readBody(request) : '';
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const named = (header: string) =>
      typeof request.headers[header] === 'string' ? request.headers[header] : undefined;
    const { kind } = classifyInboundRequest({
      httpMethod: request.method ?? '',
      protocolVersionHeader: named('mcp-protocol-version'),
      mcpMethodHeader: named('mcp-method'),
      mcpNameHeader: named('mcp-name'),
      body,
    });
    await (kind === 'legacy' ? earlier : later)(request, response, body);
  };
}

/** Makes a handler for 2025-11-25, which opens sessions, and which requires a session in all other requests. */
function legacy(): Handle {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const servers = new Set<McpServer>();
  // Notifies all sessions of a change.
  const toolsChanged = () => servers.forEach((mcp) => mcp.sendToolListChanged());
  async function open(): Promise<NodeStreamableHTTPServerTransport> {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const mcp = newServer({ toolsChanged, promptsChanged: () => undefined });
    servers.add(mcp);
    mcp.server.setRequestHandler('resources/subscribe', () => ({}));
    mcp.server.setRequestHandler('resources/unsubscribe', () => ({}));
    await mcp.connect(transport);
    return transport;
  }
  return async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && !known) response.writeHead(404).end();
    else await (known ?? (await open())).handleRequest(request, response, body);
  };
}
