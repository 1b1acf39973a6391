import { IDENTITY_SCOPES, isIdentityScope } from '@millwright/auth/identity-scopes';
import { isStorable } from '@millwright/db';
import { OAuthError } from '@millwright/http/protocol';
import { OF_DEVICE, type NewAuthorization } from './authorizations.store.js';
import { CLIENT_ID, whyRefused } from './client-authentication.js';
import type { Client } from './clients.store.js';
import { parseOpenIdRequest } from './openid-request.js';
import { isLoopback, matchesRedirectUri } from './redirect-uris.js';
import { parseResources } from './resources.js';
import { clientScopes, defaultScopes, narrowedScopes } from './scopes.js';

/** Thrown for an unknown client or redirect URI. The browser then gets a page with the message instead of a redirect. */
export class UntrustedRequest extends Error {
  override readonly name = 'UntrustedRequest';
}

/** The client of a request and its registered redirect URI. */
export interface Recipient {
  client: Client;
  redirectUri: string;
  state: string | undefined;
}

/**
 * The client and the redirect URI of the request (RFC 6749 §3.1.2.4).
 *
 * @throws UntrustedRequest when the browser must not be redirected.
 */
export async function requireRecipient(
  query: URLSearchParams,
  findClient: (id: string) => Promise<Client | undefined>,
): Promise<Recipient> {
  const client = await requireClient(query, findClient);
  const [sent, ...others] = query.getAll('redirect_uri');
  const only = client.redirect_uris.length === 1 ? client.redirect_uris[0] : undefined;
  const given = sent ?? (only !== undefined && !isLoopback(only) ? only : undefined);
  if (given === undefined || others.length > 0 || !client.redirect_uris.some((uri) => matchesRedirectUri(uri, given)))
    throw new UntrustedRequest('The application wants the answer at an address that it has not registered.');
  const [state, ...otherStates] = query.getAll('state');
  return { client, redirectUri: given, state: otherStates.length > 0 ? undefined : state };
}

/** The client of the request. @throws UntrustedRequest when the client is missing, unknown or refused */
export async function requireClient(
  query: URLSearchParams,
  findClient: (id: string) => Promise<Client | undefined>,
): Promise<Client> {
  const [id, ...otherIds] = query.getAll('client_id');
  if (id === undefined || otherIds.length > 0) throw new UntrustedRequest('The request names no application.');
  const client = CLIENT_ID.test(id) ? await findClient(id) : undefined;
  if (!client || whyRefused(client) !== undefined)
    throw new UntrustedRequest('The application that sent you here is not known, or is no longer allowed in.');
  return client;
}

/**
 * Parses an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2.1). With the scope `openid`, it is an authentication
 * request.
 * @throws OAuthError, which is sent to the client's redirect URI.
 */
export function parseAuthorization(
  query: URLSearchParams,
  { client, redirectUri, state }: Recipient,
  runtimeUrl: string,
): NewAuthorization {
  requireEachOnce(query);
  requireState(state);
  requireResponseType(query);
  if (query.has('request')) throw new OAuthError('request_not_supported', 'request objects are not supported');
  const scopes = parseScopes(query, client);
  return {
    client,
    redirectUri,
    state,
    scopes,
    openId: scopes.includes('openid') ? parseOpenIdRequest(query) : undefined,
    resources: parseResources(query.getAll('resource'), runtimeUrl),
    codeChallenge: parseChallenge(query, client),
    jkt: parseKey(query),
  };
}

/** Parses a device authorization request (RFC 8628 §3.1). @throws OAuthError invalid_scope or invalid_target for a value that is not allowed */
export function parseDeviceAuthorization(query: URLSearchParams, client: Client, runtimeUrl: string): NewAuthorization {
  const scopes = parseScopes(query, client);
  return {
    ...{ client, redirectUri: OF_DEVICE, scopes, resources: parseResources(query.getAll('resource'), runtimeUrl) },
    ...{ state: undefined, codeChallenge: undefined, jkt: undefined, openId: undefined },
  };
}

const MAX_STATE_BYTES = 1_024;

function requireEachOnce(query: URLSearchParams): void {
  const repeated = [...query.keys()].some((name) => name !== 'resource' && query.getAll(name).length > 1);
  if (repeated) throw new OAuthError('invalid_request', 'a parameter is repeated');
}

/**
 * Refuses a state that is too long or cannot be stored (NUL). RFC 6749 appendix A.5 allows only visible ASCII, but clients also send other
 * characters.
 */
function requireState(state: string | undefined): void {
  if (state === undefined) return;
  if (!isStorable(state)) throw new OAuthError('invalid_request', 'state is malformed');
  if (Buffer.byteLength(state) > MAX_STATE_BYTES) throw new OAuthError('invalid_request', 'state is too long');
}

function parseScopes(query: URLSearchParams, client: Client): string[] {
  const allowed = new Set([...clientScopes(client), ...IDENTITY_SCOPES]);
  const scopes = narrowedScopes(query.get('scope') ?? undefined, allowed, defaultScopes(client));
  if (scopes.some(isIdentityScope) && !scopes.includes('openid'))
    throw new OAuthError('invalid_scope', 'profile and email need the scope openid');
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'scope must name what the client asks for');
  return scopes;
}

function requireResponseType(query: URLSearchParams): void {
  const type = query.get('response_type');
  if (type === null || type === '') throw new OAuthError('invalid_request', 'response_type is missing');
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code');
  const mode = query.get('response_mode');
  if (mode !== null && mode !== 'query') throw new OAuthError('invalid_request', 'response_mode must be query');
}

/** Reads the parameter `dpop_jkt`: the thumbprint of the key to which the client binds the code (RFC 9449 §10). */
function parseKey(query: URLSearchParams): string | undefined {
  const jkt = query.get('dpop_jkt') ?? undefined;
  if (jkt !== undefined && !/^[A-Za-z0-9_-]{43}$/.test(jkt))
    throw new OAuthError('invalid_request', 'dpop_jkt is malformed');
  return jkt;
}

/**
 * Reads the PKCE challenge. Only a confidential client that a user created may omit it. A challenge without a method means `plain` and is
 * refused.
 */
function parseChallenge(query: URLSearchParams, { kind, auth_method }: Client): string | undefined {
  const challenge = query.get('code_challenge');
  const method = query.get('code_challenge_method');
  if (challenge === null && method === null && kind === 'settings' && auth_method !== 'none') return undefined;
  if (challenge === null) throw new OAuthError('invalid_request', 'code_challenge is required');
  if (method !== 'S256') throw new OAuthError('invalid_request', 'code_challenge_method must be S256');
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) throw new OAuthError('invalid_request', 'code_challenge is malformed');
  return challenge;
}
