import { recordDenial } from '@millwright/audit';
import { allowsTool, bearer, callerOf, type Principal, type Scope, type TokenClaims } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Request } from 'express';
import { MCP_SCOPES } from '../oauth/metadata.endpoint.js';
import type { CallerStore, McpCaller } from './callers.store.js';
import { calledTool, INVALID_PARAMS, JsonRpcRefusal } from './json-rpc.js';
import type { McpCall } from './mcp-call.js';
import { PLATFORM, PLATFORM_SCOPES } from './platform/scopes.js';
import { endpointOf } from './registry.routes.js';

export interface AccessOptions {
  runtimeUrl: string;
  /** The claims of one of our access tokens, whatever it may be sent to. */
  verify: (token: string) => Promise<TokenClaims | undefined>;
  callers: CallerStore;
  /** The principal of a token of admin-auth for area C: a gateway token, or the console's. */
  verifyGateway: (token: string) => Promise<Principal | undefined>;
}

const serverOf = (request: Request) => String(request.params['server']);
const askedOf = (request: Request) => ({ server: serverOf(request), sessionId: request.get('mcp-session-id') });

/**
 * The principal of a token that was issued for area C or for this very endpoint (RFC 8707 §2; MCP authorization, "Token handling"), or
 * of one that admin-auth issued for area C.
 */
export function createMcpAuthenticator({ runtimeUrl, verify, callers, verifyGateway }: AccessOptions) {
  async function byOwnToken(token: string, request: Request): Promise<McpCaller | undefined> {
    const claims = await verify(token);
    const audience = [claims?.aud ?? []].flat();
    const isForUs = audience.includes(runtimeUrl) || audience.includes(endpointOf(runtimeUrl, serverOf(request)));
    return claims && isForUs ? callers.ofToken(claims, askedOf(request)) : undefined;
  }

  async function byGateway(token: string, request: Request): Promise<McpCaller | undefined> {
    const principal = await verifyGateway(token);
    return principal && callers.of(principal, askedOf(request));
  }

  return async (request: Request): Promise<McpCaller | undefined> => {
    if (request.headers.authorization === undefined) return undefined;
    const token = bearer(request);
    const caller =
      token === undefined ? undefined : ((await byOwnToken(token, request)) ?? (await byGateway(token, request)));
    if (!caller) throw new AppError('unauthorized');
    return caller;
  };
}

/** Where a client learns how to get a token for this server (RFC 9728 §5.1). */
const metadataOf = (runtimeUrl: string, server: string) =>
  `resource_metadata="${runtimeUrl}/.well-known/oauth-protected-resource/api/v1/mcp/${encodeURIComponent(server)}/mcp"`;

/** RFC 6750 §3: an error only when there was a token. */
export const createMcpChallenge = (runtimeUrl: string) => (request: Request, credential: 'missing' | 'wrong') => {
  const server = serverOf(request);
  const scopes = server === PLATFORM ? [...MCP_SCOPES, ...PLATFORM_SCOPES] : MCP_SCOPES;
  const fault = credential === 'wrong' ? 'error="invalid_token", ' : '';
  return `Bearer ${fault}${metadataOf(runtimeUrl, server)}, scope="${scopes.join(' ')}"`;
};

/** RFC 6750 §3.1: the client may ask its user for more (MCP authorization, "Scope challenge handling"). */
export function insufficientScope(runtimeUrl: string, server: string, needed: readonly Scope[]): AppError {
  const challenge = `Bearer error="insufficient_scope", scope="${needed.join(' ')}", ${metadataOf(runtimeUrl, server)}`;
  return new AppError('forbidden', { headers: { 'WWW-Authenticate': challenge } });
}

/** A tool that the client is not for is to it as one that is not there. @throws JsonRpcRefusal */
export async function requireAllowedTool(
  db: Database,
  server: string,
  { principal, from, message, request }: Pick<McpCall, 'principal' | 'from' | 'message' | 'request'>,
): Promise<void> {
  if (message?.kind !== 'request' || message.method !== 'tools/call') return;
  const tool = calledTool(message);
  if (allowsTool([principal.mcpTools], server, tool)) return;
  const { project, actor } = callerOf(principal, from);
  const acting = { ...actor, kind: 'mcp' as const, label: server };
  const entry = { actor: acting, action: 'mcp.call', resource: request.path.slice(0, 500), project, detail: { tool } };
  await recordDenial(db, entry, 'the client is not for this tool');
  throw new JsonRpcRefusal(200, INVALID_PARAMS, `Unknown tool: ${tool}`, message.id);
}
