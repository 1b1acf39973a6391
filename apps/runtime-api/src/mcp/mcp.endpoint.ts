import { recordDenial } from '@millwright/audit';
import { callerOf, type Principal, type Scope } from '@millwright/auth';
import type { Database, MetricCounts } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { requestIdOf, type Gate } from '@millwright/http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { insufficientScope, requireAllowedTool } from './access.js';
import type { McpCaller } from './callers.store.js';
import { errorBody, JsonRpcRefusal, parseMessage, type McpMessage } from './json-rpc.js';
import type { McpCall, McpTarget } from './mcp-call.js';
import { admitOrigin, preflightHeaders } from './origins.js';
import { endpointOf } from './registry.routes.js';
import { asJson, sendAnswer } from './send-answer.js';

export interface McpEndpointOptions {
  db: Database;
  gate: Gate<McpCaller>;
  runtimeUrl: string;
  allowedOrigins: readonly string[];
  /** The server that the caller's project knows by this name. */
  targetOf: (caller: McpCaller, name: string) => McpTarget | undefined;
  counts?: Pick<MetricCounts, 'add'> | undefined;
}

const LEFT = new Error('The client left.');
const PATH = '/api/v1/mcp/:server/mcp';
const TEMPLATE = '/api/v1/mcp/{server_name}/mcp';
const MAX_BYTES = 1_048_576;

/** What of a client's headers concerns the protocol (2025-11-25 and 2026-07-28, "Streamable HTTP"; W3C Trace Context). */
const PASSED = /^(accept|content-type|last-event-id|mcp-[a-z0-9-]+|traceparent|tracestate|baggage)$/;

/** `POST`, `GET` and `DELETE` of every MCP server: the streamable HTTP transport of both eras. */
export function mcpEndpoint(options: McpEndpointOptions): Router {
  const { db, gate, runtimeUrl, allowedOrigins, targetOf, counts } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const serverOf = (request: Request) => String(request.params['server']);

  /** Transports, "Security warning": an `Origin` that is not allowed is answered 403. */
  const checkOrigin: RequestHandler = (request, response, next) => {
    response.locals['route'] = TEMPLATE;
    admitOrigin(request, response, allowedOrigins);
    next();
  };

  /** Authorization, "Token handling": a token for this server, on every request. */
  const authenticate: RequestHandler = async (request, response, next) => {
    response.locals['principal'] = await gate(request, response, 'credential', true);
    next();
  };

  const requireTarget: RequestHandler = (request, response, next) => {
    const target = targetOf(response.locals['principal'] as McpCaller, serverOf(request));
    if (!target) throw new AppError('not_found');
    response.locals['target'] = target;
    next();
  };

  /** Transports, "Sending messages to the server": one JSON-RPC message as `application/json`. */
  const requireJson: RequestHandler = (request, _response, next) => {
    if (!isJsonContentType(request.headers['content-type'] ?? '')) throw new AppError('unsupported_media_type');
    next();
  };
  const readBody = express.raw({ type: () => true, limit: MAX_BYTES });
  const readMessage: RequestHandler = (request, response, next) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    response.locals['message'] = parseMessage(bytes);
    next();
  };

  /** Authorization, "Scope challenge handling": what this very message needs. */
  const requireScopes: RequestHandler = async (request, response, next) => {
    const { principal, target, message } = response.locals as Locals;
    const needed = scopesOf(target, message);
    if (needed.some((scope) => !principal.scopes.has(scope))) {
      const caller = callerOf(principal, originOf(request));
      const entry = { ...caller, action: 'mcp.request', resource: request.path.slice(0, 500) };
      await recordDenial(db, entry, `scope ${needed.join(' ')} is needed`);
      throw insufficientScope(runtimeUrl, serverOf(request), needed);
    }
    await requireAllowedTool(db, serverOf(request), { principal, from: originOf(request), message, request });
    if (message?.kind === 'request' && message.method === 'tools/call') counts?.add(principal.project, 'mcp_calls');
    next();
  };

  const serve: RequestHandler = async (request, response) => {
    const { principal, target, message } = response.locals as Locals;
    const left = new AbortController();
    // What is answered is over, with nobody to tell.
    response.once('close', () => response.writableFinished || left.abort(LEFT));
    const call: McpCall = {
      principal,
      from: originOf(request),
      request,
      url: endpointOf(runtimeUrl, serverOf(request)),
      headers: protocolHeaders(request),
      message,
      body: Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : new Uint8Array(),
      signal: left.signal,
    };
    const answer = await target.serve(call);
    const wantsJson = message?.kind === 'request' && !(request.headers.accept ?? '').includes('text/event-stream');
    await sendAnswer(wantsJson ? await asJson(answer, message.id) : answer, response);
  };

  const admitted = [checkOrigin, authenticate, requireTarget];
  router.options(PATH, checkOrigin, async (request, response) => {
    await gate(request, response, 'public', false);
    response.status(204).set(preflightHeaders(request)).end();
  });
  router.post(PATH, ...admitted, requireJson, readBody, readMessage, requireScopes, serve, refuse);
  router.get(PATH, ...admitted, requireScopes, serve, refuse);
  router.delete(PATH, ...admitted, requireScopes, serve, refuse);
  router.all(PATH, checkOrigin, authenticate, () => {
    throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST, DELETE' } });
  });
  return router;
}

interface Locals {
  principal: Principal;
  target: McpTarget;
  message: McpMessage | undefined;
}

function scopesOf(target: McpTarget, message: McpMessage | undefined): readonly Scope[] {
  if (!message || message.kind === 'response') return ['mcp:read'];
  const own: Scope = message.method === 'tools/call' ? 'mcp:call' : 'mcp:read';
  return [own, ...target.scopesOf(message)];
}

function originOf(request: Request) {
  return { requestId: requestIdOf(request), ip: request.ip ?? '' };
}

function protocolHeaders(request: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      PASSED.test(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

/** Refusals of the protocol; everything else goes to the area's renderer. */
const refuse: ErrorRequestHandler = (error: unknown, _request, response: Response, next) => {
  if (!(error instanceof JsonRpcRefusal) || response.headersSent) {
    next(error);
    return;
  }
  if (error.status === 503) response.set('Retry-After', '10');
  response.status(error.status).set('Cache-Control', 'no-store').json(errorBody(error));
};
