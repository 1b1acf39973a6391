import { effectiveScopes, isAdminScope, rolesOf, type Role, type Scope } from '@millwright/auth';
import { OAuthError } from '@millwright/http/protocol';
import type { Client } from './clients.store.js';

/** The scopes that a client has now: those of its owner's account, or any for a client that registered itself, whose user decides. */
export function clientScopes({ scopes, owner }: Pick<Client, 'scopes' | 'owner'>): ReadonlySet<string> {
  return effectiveScopes(scopes, owner ? rolesOf(owner) : ['admin']);
}

/** The scopes of a grant that both its client and its user have now. */
export function grantScopes(
  granted: readonly string[],
  ofClient: ReadonlySet<string>,
  userRoles: readonly Role[],
): ReadonlySet<string> {
  return effectiveScopes(
    granted.filter((scope) => ofClient.has(scope)),
    userRoles,
  );
}

/** The scopes that an MCP client needs. */
export const MCP_SCOPES: readonly Scope[] = ['mcp:read', 'mcp:call'];

/**
 * The scopes of an authorization request that names none: those that the resource needs for a self-registered client, and those
 * that the user chose for a client of theirs. Scopes of admins must be named.
 */
export function defaultScopes(client: Pick<Client, 'kind' | 'scopes' | 'owner'>): readonly string[] {
  if (client.kind !== 'settings') return MCP_SCOPES;
  return [...clientScopes(client)].filter((scope) => !isAdminScope(scope));
}

/** The requested scopes, or the default ones when the request names none (RFC 6749 §3.3). @throws OAuthError invalid_scope */
export function narrowedScopes(
  asked: string | undefined,
  allowed: ReadonlySet<string>,
  byDefault: Iterable<string> = allowed,
): string[] {
  const wanted = [...new Set(asked?.split(' ').filter((scope) => scope !== '' && scope !== 'offline_access') ?? [])];
  if (wanted.some((scope) => !allowed.has(scope))) {
    throw new OAuthError('invalid_scope', 'a scope is unknown or not granted to this client');
  }
  return wanted.length > 0 ? wanted : [...byDefault];
}
