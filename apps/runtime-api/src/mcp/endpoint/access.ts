import { recordDenial } from '@millwright/audit';
import {
  accessToken,
  bearer,
  callerOf,
  type createApiKeyVerifier,
  type Principal,
  type Scope,
  type TokenClaims,
} from '@millwright/auth';
import { DPOP_CHALLENGE, type RequireHolder } from '@millwright/auth/dpop';
import { allowsTool } from '@millwright/auth/tool-lists';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { toolCallEntry } from '@millwright/mcp';
import type { Request, Response } from 'express';
import { MCP_SCOPES } from '../../oauth/scopes.js';
import type { CallerStore, McpCaller } from './callers.store.js';
import { calledTool, unknownTool, type McpMessage } from '@millwright/mcp/json-rpc';
import { endpointOf, type McpCall, type McpTarget } from './mcp-call.js';

export interface AccessOptions {
  runtimeUrl: string;
  /** Returns the claims of an access token of this service. The token may have any audience. */
  verify: (token: string) => Promise<TokenClaims | undefined>;
  requireHolder: RequireHolder;
  callers: CallerStore;
  /** The principal of a token that admin-auth issued for the runtime API: a gateway token or the console's token. */
  verifyGateway: (token: string) => Promise<Principal | undefined>;
  verifyKey: ReturnType<typeof createApiKeyVerifier>;
}

/** Loopback origins. They are allowed, because developers run tools with such pages on their own machines. */
const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
const EXPOSED = 'WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version, DPoP-Nonce';
/** The headers that MCP clients send, including custom headers that 2026-07-28 allows. */
const ASKABLE =
  /^(authorization|dpop|content-type|accept|idempotency-key|last-event-id|mcp-[a-z0-9-]{1,100}|traceparent|tracestate)$/;

/**
 * Refuses pages of origins that are not allowed. Pages of allowed origins can read the answer, but the browser sends no credentials for
 * them (MCP transports, "Security warning"). Requests without `Origin` come from programs and are admitted.
 *
 * @throws AppError forbidden for an origin that is not allowed
 */
export function admitOrigin(request: Request, response: Response, allowed: readonly string[]): void {
  response.vary('Origin');
  const { origin } = request.headers;
  if (origin === undefined) return;
  if (!allowed.includes(origin) && !LOOPBACK.test(origin)) throw new AppError('forbidden');
  response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED });
}

/** Returns the CORS headers that allow those requested headers which MCP clients use (Fetch §3.3.3). */
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

/** Returns the name of the server in the path. */
export const serverNameOf = (request: Request) => String(request.params['server']);

const askedOf = (request: Request) => ({ server: serverNameOf(request), sessionId: request.get('mcp-session-id') });

/**
 * Authenticates by an access token for the runtime API or for this endpoint (RFC 8707 §2; MCP authorization, "Token handling"), by a
 * token that admin-auth issued for the runtime API, or by an API key.
 */
export function createMcpAuthenticator(options: AccessOptions) {
  const { runtimeUrl, verify, requireHolder, callers, verifyGateway, verifyKey } = options;

  async function byOwnToken(token: string, request: Request): Promise<McpCaller | undefined> {
    const claims = await verify(token);
    const audience = [claims?.aud ?? []].flat();
    const isForUs = audience.includes(runtimeUrl) || audience.includes(endpointOf(runtimeUrl, serverNameOf(request)));
    if (!claims || !isForUs) return undefined;
    await requireHolder(claims, token, request);
    return callers.ofToken(claims, askedOf(request));
  }

  async function byAccount(token: string, request: Request): Promise<McpCaller | undefined> {
    const principal = (await verifyGateway(token)) ?? (await verifyKey(token, request));
    return principal && callers.of(principal, askedOf(request));
  }

  return async (request: Request): Promise<McpCaller | undefined> => {
    if (request.headers.authorization === undefined) return undefined;
    const [own, account] = [accessToken(request), bearer(request)];
    const caller =
      (own === undefined ? undefined : await byOwnToken(own, request)) ??
      (account === undefined ? undefined : await byAccount(account, request));
    if (!caller) throw new AppError('unauthorized');
    return caller;
  };
}

/** The URL of the metadata that describes how a client gets a token for this server (RFC 9728 §5.1). */
const metadataOf = (runtimeUrl: string, server: string) =>
  `resource_metadata="${runtimeUrl}/.well-known/oauth-protected-resource/api/v1/mcp/${encodeURIComponent(server)}/mcp"`;

/** The header `WWW-Authenticate` of a 401. It names an error only when the request had a token (RFC 6750 §3). */
export const createMcpChallenge =
  (runtimeUrl: string, ownScopesOf: (server: string) => readonly Scope[]) =>
  (request: Request, credential: 'missing' | 'wrong') => {
    const server = serverNameOf(request);
    const scopes = [...MCP_SCOPES, ...ownScopesOf(server)];
    const fault = credential === 'wrong' ? 'error="invalid_token", ' : '';
    return `Bearer ${fault}${metadataOf(runtimeUrl, server)}, scope="${scopes.join(' ')}", ${DPOP_CHALLENGE}`;
  };

/** The parts of a message that are checked before it is served. */
export interface CheckedCall extends Pick<McpCall, 'from' | 'message'> {
  principal: Principal;
  target: McpTarget;
  server: string;
  path: string;
}

/**
 * Returns the check of a message's scopes and tool.
 * @throws AppError forbidden when a scope is missing; JsonRpcRefusal for a tool that the credential does not allow
 */
export function createAccessCheck({ db, runtimeUrl }: { db: Database; runtimeUrl: string }) {
  return async (call: CheckedCall): Promise<void> => {
    await requireScopes(call);
    await requireAllowedTool(call);
  };

  /** Names the missing scopes (RFC 6750 §3.1), so that the client can request them (MCP authorization, "Scope challenge handling"). */
  async function requireScopes({ principal, from, target, message, server, path }: CheckedCall): Promise<void> {
    const needed = scopesOf(target, message);
    if (needed.every((scope) => principal.scopes.has(scope))) return;
    const entry = { ...callerOf(principal, from), action: 'mcp.request', resource: path };
    await recordDenial(db, entry, `scope ${needed.join(' ')} is needed`);
    const challenge = `Bearer error="insufficient_scope", scope="${needed.join(' ')}", ${metadataOf(runtimeUrl, server)}`;
    throw new AppError('forbidden', { headers: { 'WWW-Authenticate': challenge } });
  }

  /** Refuses a tool that the credential does not allow, with the same error as for an unknown tool. */
  async function requireAllowedTool({ principal, from, message, server, path }: CheckedCall): Promise<void> {
    if (message?.kind !== 'request' || message.method !== 'tools/call') return;
    const tool = calledTool(message);
    if (allowsTool([principal.mcpTools], server, tool)) return;
    const entry = toolCallEntry(callerOf(principal, from), { label: server, resource: path }, tool);
    await recordDenial(db, entry, 'the credential does not allow this tool');
    throw unknownTool(message);
  }
}

function scopesOf(target: McpTarget, message: McpMessage | undefined): readonly Scope[] {
  if (!message || message.kind === 'response') return ['mcp:read'];
  const own: Scope = message.method === 'tools/call' ? 'mcp:call' : 'mcp:read';
  return [own, ...target.scopesOf(message)];
}
