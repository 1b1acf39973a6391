import { challengeParameter, createUpstreamFetch, type UpstreamServer, type UserAuth } from '@millwright/mcp';
import type { Egress, EgressFetch } from '@millwright/egress';
import { z } from 'zod';

/** Thrown when a user cannot connect an account. `message` is shown to the user, and names no internal address. */
export class CannotConnect extends Error {
  override readonly name = 'CannotConnect';
}

/** An MCP server to which users connect their accounts. */
export type UserServer = UpstreamServer & { auth: UserAuth };

/** The result of discovery, which states how to get a token for the server. */
export interface Discovered {
  /** Metadata of the authorization server (RFC 8414 §2). Every address in the metadata may be called. */
  as: AuthorizationServer;
  /** Audience of the tokens (RFC 8707). */
  resource: string;
  scope: string | undefined;
}

const Names = z.array(z.string().max(500)).max(1_000).optional().catch(undefined);

/** Metadata of a protected resource (RFC 9728 §2). */
const ProtectedResource = z.object({
  resource: z.string().max(2_000),
  authorization_servers: z.array(z.string().max(2_000)).min(1).max(100),
  scopes_supported: Names,
});

/** Metadata of an authorization server (RFC 8414 §2). */
const AuthorizationServer = z.object({
  issuer: z.string().max(2_000),
  authorization_endpoint: z.string().max(2_000),
  token_endpoint: z.string().max(2_000),
  registration_endpoint: z.string().max(2_000).optional(),
  revocation_endpoint: z.string().max(2_000).optional(),
  code_challenge_methods_supported: Names,
  token_endpoint_auth_methods_supported: Names,
  scopes_supported: Names,
  authorization_response_iss_parameter_supported: z.boolean().default(false),
  client_id_metadata_document_supported: z.boolean().default(false),
});
export type AuthorizationServer = z.output<typeof AuthorizationServer>;

const LIMITS = { timeoutMs: 5_000, maxBytes: 256 * 1024 };
const ASKED = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'millwright', version: '1' } },
});

export type Discover = (server: UserServer) => Promise<Discovered>;

/** Finds the authorization server of an MCP server (2026-07-28 and 2025-11-25, "Authorization server discovery"). */
export function createDiscovery(
  egress: Pick<Egress, 'fetch' | 'checkUrl'>,
  deps: Parameters<typeof createUpstreamFetch>[0],
  trustedIssuers: readonly string[] = [],
) {
  const isTrusted = (issuer: string) => trustedIssuers.some((trusted) => bare(trusted) === bare(issuer));

  const upstreamFetch = createUpstreamFetch(deps);

  /** Fetches a document; `undefined` when it does not exist. @throws EgressError for an address that may not be called */
  async function document<Shape>(url: string, shape: z.ZodType<Shape>): Promise<Shape | undefined> {
    const headers = { accept: 'application/json' };
    const response = await egress.fetch(url, { headers, redirect: 'error', profile: LIMITS });
    if (response.status !== 200) {
      await response.body?.cancel();
      return undefined;
    }
    return shape.safeParse(await response.json().catch(() => undefined)).data;
  }

  /**
   * Finds the document that the challenge names (RFC 9728 §5.1). When the challenge names none, finds the document at the address that is
   * derived from the server's URL (§3.1).
   */
  async function protectedResource(server: UserServer, named: string | undefined) {
    const { origin, pathname } = new URL(server.url);
    const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
    const guesses = pathname === '/' ? [wellKnown] : [`${wellKnown}${pathname}`, wellKnown];
    for (const url of named === undefined ? guesses : [named]) {
      const found = await document(url, ProtectedResource);
      if (!found) continue;
      if (!isFor(found.resource, server.url))
        throw new CannotConnect('The MCP server describes the authorization of another one.');
      return found;
    }
    if (named !== undefined) throw new CannotConnect('The MCP server does not say who gives access to it.');
    return undefined;
  }

  /** Tries the addresses of RFC 8414 §3 and OpenID Connect Discovery §4, in the order of the MCP specification. */
  async function authorizationServer(issuer: string): Promise<AuthorizationServer> {
    const { origin, pathname } = egress.checkUrl(issuer);
    const path = pathname.replace(/\/$/, '');
    const guesses = [
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
    ];
    for (const url of guesses) {
      const found = await document(url, AuthorizationServer);
      if (found) return checked(found, issuer);
    }
    throw new CannotConnect('The authorization server of the MCP server does not describe itself.');
  }

  function checked(as: AuthorizationServer, issuer: string): AuthorizationServer {
    // This check prevents one server from impersonating another (RFC 8414 §3.3).
    if (bare(as.issuer) !== bare(issuer))
      throw new CannotConnect('The authorization server of the MCP server describes another one.');
    // The server must support PKCE with S256 (MCP 2025-11-25, "Authorization code protection").
    if (!as.code_challenge_methods_supported?.includes('S256'))
      throw new CannotConnect('The authorization server of the MCP server does not protect codes (PKCE).');
    const { authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint } = as;
    for (const url of [authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint])
      if (url !== undefined) egress.checkUrl(url);
    if (isTrusted(issuer)) return as;
    // Without this check, an issuer could send the user to another server and receive that server's code (RFC 9700 §4.4).
    if (!isSameOrigin(authorization_endpoint, token_endpoint))
      throw new CannotConnect(
        'The authorization server of the MCP server has its endpoints at different places: an administrator has to trust it.',
      );
    // Only the origin that issued a token may receive it for revocation.
    return {
      ...as,
      revocation_endpoint: isSameOrigin(token_endpoint, revocation_endpoint) ? revocation_endpoint : undefined,
    };
  }

  /** @throws CannotConnect when the metadata are missing or not acceptable; EgressError when an address is refused or does not answer */
  return async (server: UserServer): Promise<Discovered> => {
    const { named, scope: asked } = await readWwwAuthenticate(
      upstreamFetch({ ...server, auth: { type: 'none' } }, undefined),
      server.url,
    );
    const described = await protectedResource(server, named);
    // Servers of the version 2025-03-26 name no authorization server. Their origin is their issuer.
    const issuers = described?.authorization_servers ?? [new URL(server.url).origin];
    const { issuer: wanted, scope: configured } = server.auth;
    const issuer = wanted === undefined ? issuers[0] : issuers.find((each) => bare(each) === bare(wanted));
    if (issuer === undefined)
      throw new CannotConnect('The MCP server does not name the authorization server that it was registered with.');
    const as = await authorizationServer(issuer);
    const scope = configured ?? asked ?? described?.scopes_supported?.join(' ');
    return { as, resource: described?.resource ?? server.url, scope: withRefresh(scope, as) };
  };
}

const isSameOrigin = (one: string, other: string | undefined): boolean =>
  other !== undefined && new URL(one).origin === new URL(other).origin;

const bare = (url: string) => url.replace(/\/$/, '');

/**
 * Whether a token for the resource is meant for this server: both have the same origin, and the path of the resource is the server's path or a parent
 * of that path.
 */
function isFor(resource: string, serverUrl: string): boolean {
  if (!URL.canParse(resource)) return false;
  const [of, server] = [new URL(resource), new URL(serverUrl)];
  const below = `${server.pathname}/`.startsWith(of.pathname.endsWith('/') ? of.pathname : `${of.pathname}/`);
  return of.origin === server.origin && below && of.hash === '';
}

/** Sends a request without a token, and reads the server's `WWW-Authenticate` challenge (RFC 6750 §3, RFC 9728 §5.1). */
async function readWwwAuthenticate(fetch: EgressFetch, url: string) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(url, { method: 'POST', headers, body: ASKED, redirect: 'error', profile: LIMITS });
  await response.body?.cancel();
  const challenge = response.status === 401 ? response.headers.get('www-authenticate') : null;
  const scope = challengeParameter(challenge, 'scope');
  return { named: challengeParameter(challenge, 'resource_metadata'), scope: scope === '' ? undefined : scope };
}

/** Adds the scope for refresh tokens if the authorization server supports it (2026-07-28, "Refresh tokens"). */
function withRefresh(scope: string | undefined, { scopes_supported }: AuthorizationServer): string | undefined {
  const words = scope?.split(' ').filter((word) => word !== '') ?? [];
  if (scopes_supported?.includes('offline_access')) words.push('offline_access');
  return words.length === 0 ? undefined : [...new Set(words)].join(' ');
}
