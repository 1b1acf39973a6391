import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, type CallToolResult, type Tool } from '@modelcontextprotocol/server';
import { listen } from '../listen.js';

/** How the server treats every request. With `serve`, its answers are correct. */
export type McpBehaviour = 'serve' | 'hang' | 'reset' | 'garbage' | 'error' | { redirect: string } | { flood: number };

/**
 * `modern`: 2026-07-28. `legacy`: 2025-11-25 and earlier, without sessions. `sessions`: the same versions with
 * sessions. `both`: `modern` and `sessions`.
 */
export type McpEra = 'modern' | 'legacy' | 'sessions' | 'both';

/** A tool in the form in which it is sent. The tool may be invalid. */
export type FakeTool = Record<string, unknown> & { name: string };

export interface FakeMcpServer {
  url: string;
  /** Versions of the protocol that the server supports from now on. May be replaced. */
  era: McpEra;
  /** Tools that the server returns for each `tools/list` request from now on. May be replaced. */
  tools: FakeTool[];
  /** Tools that the server returns in the older of its two eras from now on. Default: `tools`. */
  olderTools: FakeTool[] | undefined;
  /** A cursor that makes the list of tools endless: every page names the same next page. */
  nextCursor: string | undefined;
  behaviour: McpBehaviour;
  /** Returns the challenge of a 401 answer, or `undefined` when the request is served. */
  challenge: (headers: IncomingHttpHeaders) => string | undefined;
  /** Returns the challenge of a 403 answer, or `undefined` when the request is served. */
  refusal: (headers: IncomingHttpHeaders) => string | undefined;
  /** Documents that the server serves without a credential, by path. */
  documents: Record<string, unknown>;
  /** Makes the answer of a tool. `meta` is the `_meta` of the request. */
  answer: (
    name: string,
    args: Record<string, unknown>,
    meta: Record<string, unknown> | undefined,
  ) => CallToolResult | Promise<CallToolResult>;
  /** Calls of tools that were received so far. */
  calls: { name: string; arguments: Record<string, unknown>; headers: IncomingHttpHeaders }[];
  /** Ids of the sessions that are open. */
  sessions: () => string[];
  /** The headers of every request so far. */
  seen: IncomingHttpHeaders[];
  /** Resolves when the next request arrives. */
  nextRequest: () => Promise<unknown>;
  dropConnections: () => void;
  close: () => Promise<void>;
}

/** An MCP server on loopback, built with the official SDK. */
export async function createFakeMcpServer(era: McpEra, tools: FakeTool[] = []): Promise<FakeMcpServer> {
  const open: Sessions = new Map();
  const arrivals = new EventEmitter();
  const sessions = inSessions(open);
  const both: Serve = (...request) => (isModern(request[1]) ? modern : sessions)(...request);
  const serveAs = { modern, legacy, sessions, both };
  const app = await listen((request, response) => {
    fake.seen.push(request.headers);
    arrivals.emit('request');
    misbehave(fake.behaviour, response, () => {
      if (served(fake, request, response)) return;
      serveAs[fake.era](() => newServer(fake, request), request, response).catch(() => response.destroy());
    });
  });
  const fake: FakeMcpServer = {
    url: `${app.url}/mcp`,
    era,
    tools,
    olderTools: undefined,
    nextCursor: undefined,
    behaviour: 'serve',
    challenge: () => undefined,
    refusal: () => undefined,
    documents: {},
    answer: (name, args) => ({ content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }] }),
    calls: [],
    sessions: () => [...open.keys()],
    seen: [],
    nextRequest: () => once(arrivals, 'request'),
    dropConnections: app.dropConnections,
    close: app.close,
  };
  return fake;
}

/** Answers with a document or a refusal, if there is one for the request. @returns whether the request was answered */
function served(fake: FakeMcpServer, { url = '', headers }: IncomingMessage, response: ServerResponse): boolean {
  const document = fake.documents[url];
  const [challenge, refusal] = [fake.challenge(headers), fake.refusal(headers)];
  if (document !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  else if (challenge !== undefined) response.writeHead(401, { 'www-authenticate': challenge }).end();
  else if (refusal !== undefined) response.writeHead(403, { 'www-authenticate': refusal }).end();
  return response.writableEnded;
}

const isModern = ({ headers }: IncomingMessage) => headers['mcp-method'] !== undefined;

function newServer(fake: FakeMcpServer, request: IncomingMessage): McpServer {
  const { headers } = request;
  const mcp = new McpServer({ name: 'fake', version: '1' }, { capabilities: { tools: {} } });
  // The low-level server is used because it does not validate tools, so that invalid tools can be listed.
  mcp.server.setRequestHandler('tools/list', () => ({
    tools: ((isModern(request) ? undefined : fake.olderTools) ?? fake.tools) as unknown as Tool[],
    ...(fake.nextCursor !== undefined && { nextCursor: fake.nextCursor }),
  }));
  mcp.server.setRequestHandler('tools/call', ({ params }) => {
    const args = params.arguments ?? {};
    fake.calls.push({ name: params.name, arguments: args, headers });
    return fake.answer(params.name, args, params._meta);
  });
  return mcp;
}

type Serve = (create: () => McpServer, request: IncomingMessage, response: ServerResponse) => Promise<void>;

const modern: Serve = async (create, request, response) => {
  await toNodeHandler(createMcpHandler(create, { legacy: 'reject' }))(request, response);
};

const legacy: Serve = async (create, request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const transport = new NodeStreamableHTTPServerTransport({});
  await create().connect(transport);
  await transport.handleRequest(request, response);
};

type Sessions = Map<string, NodeStreamableHTTPServerTransport>;

const inSessions =
  (open: Sessions): Serve =>
  async (create, request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? open.get(id) : undefined;
    if (id !== undefined && !known) {
      response.writeHead(404).end();
      return;
    }
    const transport = known ?? (await begin(create, open));
    await transport.handleRequest(request, response);
  };

async function begin(create: () => McpServer, open: Sessions): Promise<NodeStreamableHTTPServerTransport> {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void open.set(id, transport),
    onsessionclosed: (id) => void open.delete(id),
  });
  await create().connect(transport);
  return transport;
}

function misbehave(behaviour: McpBehaviour, response: ServerResponse, serve: () => void): void {
  if (behaviour === 'serve') serve();
  else if (behaviour === 'reset') response.destroy();
  else if (behaviour === 'garbage')
    response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","id":');
  else if (behaviour === 'error') response.writeHead(500).end('no');
  else if (behaviour !== 'hang' && 'redirect' in behaviour)
    response.writeHead(307, { location: behaviour.redirect }).end();
  else if (behaviour !== 'hang')
    response.setHeader('content-type', 'application/json').end('x'.repeat(behaviour.flood));
}
