import type { Database, MetricCounts } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Gate } from '@millwright/http';
import { clientLeft, requestOrigin } from '@millwright/http/protocol';
import { isJsonContentType } from '@modelcontextprotocol/server';
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { admitOrigin, createAccessCheck, preflightHeaders, serverNameOf } from './access.js';
import type { McpCaller } from './callers.store.js';
import { errorBody, JsonRpcRefusal, parseMessage } from '@millwright/mcp/json-rpc';
import { asJson, endpointOf, isStream, sendAnswer, type McpTarget } from './mcp-call.js';
import { rewriteToolSearch, type InnerCall } from './tool-search.js';

export interface McpEndpointOptions {
  db: Database;
  gate: Gate<McpCaller>;
  runtimeUrl: string;
  allowedOrigins: readonly string[];
  /** Finds the server by its name in the caller's project. */
  targetOf: (caller: McpCaller, name: string) => McpTarget | undefined;
  counts?: Pick<MetricCounts, 'add'> | undefined;
}

const LEFT = new Error('The client left.');
const PATH = '/api/v1/mcp/:server/mcp';
const TEMPLATE = '/api/v1/mcp/{server_name}/mcp';
const MAX_BYTES = 1_048_576;
const ALLOWED = { Allow: 'GET, HEAD, POST, DELETE' };

/** The client's headers that are passed to servers (2025-11-25 and 2026-07-28, "Streamable HTTP"; W3C Trace Context). */
const PASSED =
  /^(accept|content-type|idempotency-key|last-event-id|mcp-(session-id|protocol-version|method|name|param-[a-z0-9-]{1,100})|traceparent|tracestate)$/;

/** Endpoints `POST`, `GET` and `DELETE` of every MCP server: the streamable HTTP transport of 2025-11-25 and 2026-07-28. */
export function mcpEndpoint({ db, gate, runtimeUrl, allowedOrigins, targetOf, counts }: McpEndpointOptions): Router {
  const checkAccess = createAccessCheck({ db, runtimeUrl });

  /** Answers 403 for an `Origin` that is not allowed (transports, "Security warning"). */
  function checkOrigin(request: Request, response: Response): void {
    response.locals.route = TEMPLATE;
    admitOrigin(request, response, allowedOrigins);
  }

  /** Requires a token for this server on every request (authorization, "Token handling"). */
  async function authenticate(request: Request, response: Response): Promise<McpCaller> {
    return gate(request, response, 'credential', 'credential');
  }

  function requireTarget(caller: McpCaller, name: string): McpTarget {
    const target = targetOf(caller, name);
    if (!target) throw new AppError('not_found');
    return target;
  }

  /** Serves a request. The order of the steps matters, because each step uses results of the steps before it. */
  const serve: RequestHandler = async (request, response) => {
    checkOrigin(request, response);
    const principal = await authenticate(request, response);
    const server = serverNameOf(request);
    const target = requireTarget(principal, server);
    const posted = request.method === 'POST' ? await readPosted(request, response) : undefined;
    const sent = posted && parseMessage(posted);
    const headers = protocolHeaders(request);
    const isSearched = request.query['tools'] === 'search' && sent?.kind === 'request';
    const found = isSearched ? rewriteToolSearch(sent, headers) : undefined;
    // All checks below use the rewritten request, as if the client had sent that request directly.
    const message = found?.message ?? sent;
    const from = requestOrigin(request);
    await checkAccess({ principal, from, target, message, server, path: request.path.slice(0, 500) });
    if (message?.kind === 'request' && message.method === 'tools/call') counts?.add(principal.project, 'mcp_calls');
    if (isStream({ method: request.method, message })) await response.locals.admission?.becomeStream();
    const over = new AbortController();
    try {
      const call = {
        principal,
        from,
        method: request.method,
        url: endpointOf(runtimeUrl, server),
        headers,
        message,
        body: new Uint8Array(posted ?? []),
        signal: clientLeft(response, LEFT),
        over: over.signal,
      };
      const serveFound = ({ message, headers, body }: InnerCall) =>
        target.serve({ ...call, message, headers, body, isToolSearch: true });
      const answer = found ? await found.answer(serveFound) : await target.serve(call);
      const wantsJson = message?.kind === 'request' && !(request.headers.accept ?? '').includes('text/event-stream');
      await sendAnswer(wantsJson ? await asJson(answer, message.id) : answer, response);
    } finally {
      over.abort();
    }
  };

  const router = Router({ caseSensitive: true, strict: true });
  router.options(PATH, async (request, response) => {
    checkOrigin(request, response);
    await gate(request, response, 'public', 'public');
    response.status(204).set(preflightHeaders(request)).end();
  });
  router.post(PATH, serve, refuse);
  router.get(PATH, serve, refuse);
  router.delete(PATH, serve, refuse);
  router.all(PATH, async (request, response) => {
    checkOrigin(request, response);
    await authenticate(request, response);
    throw new AppError('method_not_allowed', { headers: ALLOWED });
  });
  return router;
}

const parser: RequestHandler = express.raw({ type: () => true, limit: MAX_BYTES });

/** Reads one JSON-RPC message in `application/json` (transports, "Sending messages to the server"). */
async function readPosted(request: Request, response: Response): Promise<Buffer> {
  if (!isJsonContentType(request.headers['content-type'] ?? '')) throw new AppError('unsupported_media_type');
  await new Promise<void>((resolve, reject) => {
    parser(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('The body cannot be read.', { cause: error }));
    });
  });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function protocolHeaders(request: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      PASSED.test(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

/** Answers refusals of the protocol. The service's error renderer answers all other errors. */
const refuse: ErrorRequestHandler = (error: unknown, _request, response: Response, next) => {
  if (!(error instanceof JsonRpcRefusal) || response.headersSent) {
    next(error);
    return;
  }
  if (error.status === 503) response.set('Retry-After', '10');
  response.status(error.status).set('Cache-Control', 'no-store').json(errorBody(error));
};
