import { effectiveScopes, isAdminScope, rolesOf, type Role, type Scope } from '@millwright/auth';
import { isIdentityScope } from '@millwright/auth/identity-scopes';
import { OAuthError } from '@millwright/http/protocol';
import type { Client } from './clients.store.js';

/**
 * The scopes that a client currently has. The account of its owner limits them. A self-registered client has no owner, and may have every
 * scope that its user grants.
 */
export function clientScopes({ scopes, owner }: Pick<Client, 'scopes' | 'owner'>): ReadonlySet<string> {
  return effectiveScopes(scopes, owner ? rolesOf(owner) : ['admin']);
}

/** The granted scopes that the client currently has. Every client may have the scopes of OpenID Connect. */
export const scopesOfClient = (granted: readonly string[], ofClient: ReadonlySet<string>): string[] =>
  granted.filter((scope) => ofClient.has(scope) || isIdentityScope(scope));

/** Scopes of a grant that both the client and the user currently have. */
export function grantScopes(
  granted: readonly string[],
  ofClient: ReadonlySet<string>,
  userRoles: readonly Role[],
): ReadonlySet<string> {
  return effectiveScopes(scopesOfClient(granted, ofClient), userRoles);
}

/** The scopes that an MCP client needs. */
export const MCP_SCOPES: readonly Scope[] = ['mcp:read', 'mcp:call'];

/**
 * The scopes of an authorization request that names no scope. For a self-registered client, they are the scopes that MCP clients need. For
 * a client that a user created, they are the scopes chosen for it. Admin scopes must always be named.
 */
export function defaultScopes(client: Pick<Client, 'kind' | 'scopes' | 'owner'>): readonly string[] {
  if (client.kind !== 'settings') return MCP_SCOPES;
  return [...clientScopes(client)].filter((scope) => !isAdminScope(scope));
}

/**
 * Scopes that many clients send and that this server ignores, as OpenID Connect Core 1.0 §3.1.2.1 permits. `offline_access` has no effect,
 * because every refresh token is valid without a session of the user. Accounts have neither an address nor a telephone number.
 */
const IGNORED_SCOPES = new Set(['offline_access', 'address', 'phone']);

/**
 * The requested scopes, or the default scopes when the request names no scope (RFC 6749 §3.3).
 * @throws OAuthError invalid_scope for a scope that is not allowed
 */
export function narrowedScopes(
  asked: string | undefined,
  allowed: ReadonlySet<string>,
  byDefault: Iterable<string> = allowed,
): string[] {
  const wanted = [...new Set(asked?.split(' ').filter((scope) => scope !== '' && !IGNORED_SCOPES.has(scope)) ?? [])];
  if (wanted.some((scope) => !allowed.has(scope))) {
    throw new OAuthError('invalid_scope', 'a scope is unknown or not granted to this client');
  }
  return wanted.length > 0 ? wanted : [...byDefault];
}
