import { recordDenial } from '@millwright/audit';
import {
  bearer,
  callerOf,
  type createApiKeyVerifier,
  type Principal,
  type Scope,
  type TokenClaims,
} from '@millwright/auth';
import { allowsTool } from '@millwright/auth/tool-lists';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { toolCallEntry } from '@millwright/mcp';
import type { Request, Response } from 'express';
import { MCP_SCOPES } from '../../oauth/scopes.js';
import type { CallerStore, McpCaller } from './callers.store.js';
import { calledTool, unknownTool, type McpMessage } from './json-rpc.js';
import { endpointOf, type McpCall, type McpTarget } from './mcp-call.js';

export interface AccessOptions {
  runtimeUrl: string;
  /** The claims of an access token of this service, whatever its audience. */
  verify: (token: string) => Promise<TokenClaims | undefined>;
  callers: CallerStore;
  /** The principal of a token that admin-auth issued for the runtime API: a gateway token, or the console's. */
  verifyGateway: (token: string) => Promise<Principal | undefined>;
  verifyKey: ReturnType<typeof createApiKeyVerifier>;
}

/** Names of this machine; browsers on them are developers' tools. */
const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
const EXPOSED = 'WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version';
/** Headers of MCP clients, with those that 2026-07-28 leaves open. */
const ASKABLE =
  /^(authorization|content-type|accept|idempotency-key|last-event-id|mcp-[a-z0-9-]{1,100}|traceparent|tracestate)$/;

/**
 * Refuses pages of origins that are not allowed, and lets those that are read the answer, without credentials of the browser
 * (MCP transports, "Security warning"). Programs send no `Origin` and pass.
 *
 * @throws AppError forbidden
 */
export function admitOrigin(request: Request, response: Response, allowed: readonly string[]): void {
  response.vary('Origin');
  const { origin } = request.headers;
  if (origin === undefined) return;
  if (!allowed.includes(origin) && !LOOPBACK.test(origin)) throw new AppError('forbidden');
  response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED });
}

/** The headers that a page may send (Fetch §3.3.3): those it asks for, of those that MCP clients send. */
export function preflightHeaders(request: Request): Record<string, string> {
  const asked = request.headers['access-control-request-headers'] ?? '';
  const headers = asked
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => ASKABLE.test(name));
  return {
    'Access-Control-Allow-Methods': 'POST, GET, DELETE',
    'Access-Control-Allow-Headers': headers.join(', '),
    'Access-Control-Max-Age': '7200',
  };
}

/** The name of the server in the path. */
export const serverNameOf = (request: Request) => String(request.params['server']);

const askedOf = (request: Request) => ({ server: serverNameOf(request), sessionId: request.get('mcp-session-id') });

/**
 * The principal of a token that was issued for the runtime API or for this very endpoint (RFC 8707 §2; MCP authorization, "Token
 * handling"), of a token that admin-auth issued for the runtime API, or of an API key.
 */
export function createMcpAuthenticator({ runtimeUrl, verify, callers, verifyGateway, verifyKey }: AccessOptions) {
  async function byOwnToken(token: string, request: Request): Promise<McpCaller | undefined> {
    const claims = await verify(token);
    const audience = [claims?.aud ?? []].flat();
    const isForUs = audience.includes(runtimeUrl) || audience.includes(endpointOf(runtimeUrl, serverNameOf(request)));
    return claims && isForUs ? callers.ofToken(claims, askedOf(request)) : undefined;
  }

  async function byAccount(token: string, request: Request): Promise<McpCaller | undefined> {
    const principal = (await verifyGateway(token)) ?? (await verifyKey(token, request));
    return principal && callers.of(principal, askedOf(request));
  }

  return async (request: Request): Promise<McpCaller | undefined> => {
    if (request.headers.authorization === undefined) return undefined;
    const token = bearer(request);
    const caller =
      token === undefined ? undefined : ((await byOwnToken(token, request)) ?? (await byAccount(token, request)));
    if (!caller) throw new AppError('unauthorized');
    return caller;
  };
}

/** The address of the metadata from which a client learns how to get a token for this server (RFC 9728 §5.1). */
const metadataOf = (runtimeUrl: string, server: string) =>
  `resource_metadata="${runtimeUrl}/.well-known/oauth-protected-resource/api/v1/mcp/${encodeURIComponent(server)}/mcp"`;

/** `WWW-Authenticate` of a 401. RFC 6750 §3: an error only when there was a token. */
export const createMcpChallenge =
  (runtimeUrl: string, ownScopesOf: (server: string) => readonly Scope[]) =>
  (request: Request, credential: 'missing' | 'wrong') => {
    const server = serverNameOf(request);
    const scopes = [...MCP_SCOPES, ...ownScopesOf(server)];
    const fault = credential === 'wrong' ? 'error="invalid_token", ' : '';
    return `Bearer ${fault}${metadataOf(runtimeUrl, server)}, scope="${scopes.join(' ')}"`;
  };

/** The parts of a message that are checked before it is served. */
export interface CheckedCall extends Pick<McpCall, 'from' | 'message'> {
  principal: Principal;
  target: McpTarget;
  server: string;
  path: string;
}

/** @throws AppError forbidden; JsonRpcRefusal for a tool that the credential does not allow */
export function createAccessCheck({ db, runtimeUrl }: { db: Database; runtimeUrl: string }) {
  return async (call: CheckedCall): Promise<void> => {
    await requireScopes(call);
    await requireAllowedTool(call);
  };

  /** RFC 6750 §3.1: the client may ask its user for more (MCP authorization, "Scope challenge handling"). */
  async function requireScopes({ principal, from, target, message, server, path }: CheckedCall): Promise<void> {
    const needed = scopesOf(target, message);
    if (needed.every((scope) => principal.scopes.has(scope))) return;
    const entry = { ...callerOf(principal, from), action: 'mcp.request', resource: path };
    await recordDenial(db, entry, `scope ${needed.join(' ')} is needed`);
    const challenge = `Bearer error="insufficient_scope", scope="${needed.join(' ')}", ${metadataOf(runtimeUrl, server)}`;
    throw new AppError('forbidden', { headers: { 'WWW-Authenticate': challenge } });
  }

  /** A tool that the credential does not allow is answered as one that does not exist. */
  async function requireAllowedTool({ principal, from, message, server, path }: CheckedCall): Promise<void> {
    if (message?.kind !== 'request' || message.method !== 'tools/call') return;
    const tool = calledTool(message);
    if (allowsTool([principal.mcpTools], server, tool)) return;
    const entry = toolCallEntry(callerOf(principal, from), { label: server, resource: path }, tool);
    await recordDenial(db, entry, 'the client is not for this tool');
    throw unknownTool(message);
  }
}

function scopesOf(target: McpTarget, message: McpMessage | undefined): readonly Scope[] {
  if (!message || message.kind === 'response') return ['mcp:read'];
  const own: Scope = message.method === 'tools/call' ? 'mcp:call' : 'mcp:read';
  return [own, ...target.scopesOf(message)];
}
