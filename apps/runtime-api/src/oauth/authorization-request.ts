import { effectiveScopes } from '@millwright/auth';
import { isStorable } from '@millwright/db';
import type { NewAuthorization } from './authorizations.store.js';
import { CLIENT_ID, whyRefused } from './client-authentication.js';
import type { Client } from './clients.store.js';
import { OAuthError } from './oauth-error.js';
import { isLoopback, matchesRedirectUri } from './redirect-uris.js';
import { parseResources } from './resources.js';
import { narrowedScopes } from './scopes.js';

/** What keeps the browser from being sent anywhere: the client or the address is not one we know. Shown as a page. */
export class UntrustedRequest extends Error {
  override readonly name = 'UntrustedRequest';
}

/** The client and address of a request, once they are known to belong together. */
export interface Recipient {
  client: Client;
  redirectUri: string;
  state: string | undefined;
}

/**
 * Who asks, and where the answer goes (RFC 6749 §3.1.2.4).
 *
 * @throws UntrustedRequest: nothing may be redirected.
 */
export async function requireRecipient(
  query: URLSearchParams,
  findClient: (id: string) => Promise<Client | undefined>,
): Promise<Recipient> {
  const [id, ...otherIds] = query.getAll('client_id');
  if (id === undefined || otherIds.length > 0) throw new UntrustedRequest('The request names no application.');
  const client = CLIENT_ID.test(id) ? await findClient(id) : undefined;
  if (!client || whyRefused(client) !== undefined)
    throw new UntrustedRequest('The application that sent you here is not known, or is no longer allowed in.');
  const [sent, ...others] = query.getAll('redirect_uri');
  const only = client.redirect_uris.length === 1 ? client.redirect_uris[0] : undefined;
  const given = sent ?? (only !== undefined && !isLoopback(only) ? only : undefined);
  if (given === undefined || others.length > 0 || !client.redirect_uris.some((uri) => matchesRedirectUri(uri, given)))
    throw new UntrustedRequest('The application wants the answer at an address that it has not registered.');
  const [state, ...otherStates] = query.getAll('state');
  return { client, redirectUri: given, state: otherStates.length > 0 ? undefined : state };
}

/**
 * What is asked for (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2.1).
 *
 * @throws OAuthError, which the client is told at its address.
 */
export function parseAuthorization(
  query: URLSearchParams,
  { client, redirectUri, state }: Recipient,
  runtimeUrl: string,
): NewAuthorization {
  requireEachOnce(query);
  requireState(state);
  requireResponseType(query);
  return {
    client,
    redirectUri,
    state,
    scopes: narrowedScopes(query.get('scope') ?? undefined, effectiveScopes(client.scopes, true)),
    resources: parseResources(query.getAll('resource'), runtimeUrl),
    codeChallenge: parseChallenge(query, client),
  };
}

function requireEachOnce(query: URLSearchParams): void {
  const repeated = [...query.keys()].some((name) => name !== 'resource' && query.getAll(name).length > 1);
  if (repeated) throw new OAuthError('invalid_request', 'a parameter is repeated');
}

/** RFC 6749 appendix A.5 allows visible ASCII; clients send more, of which NUL is the one that cannot be kept. */
function requireState(state: string | undefined): void {
  if (state !== undefined && !isStorable(state)) throw new OAuthError('invalid_request', 'state is malformed');
}

function requireResponseType(query: URLSearchParams): void {
  const type = query.get('response_type');
  if (type === null || type === '') throw new OAuthError('invalid_request', 'response_type is missing');
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code');
  const mode = query.get('response_mode');
  if (mode !== null && mode !== 'query') throw new OAuthError('invalid_request', 'response_mode must be query');
}

/** Only clients with a secret that a user made may do without PKCE. A challenge without a method means `plain`, which proves nothing. */
function parseChallenge(query: URLSearchParams, { kind, auth_method }: Client): string | undefined {
  const challenge = query.get('code_challenge');
  const method = query.get('code_challenge_method');
  if (challenge === null && method === null && kind === 'settings' && auth_method !== 'none') return undefined;
  if (challenge === null) throw new OAuthError('invalid_request', 'code_challenge is required');
  if (method !== 'S256') throw new OAuthError('invalid_request', 'code_challenge_method must be S256');
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) throw new OAuthError('invalid_request', 'code_challenge is malformed');
  return challenge;
}
