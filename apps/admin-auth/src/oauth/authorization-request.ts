import { AppError } from '@millwright/errors';

export const CLIENT_ID = 'marketplace-admin';
export const redirectUriOf = (baseUrl: string): string => `${baseUrl}/admin/login`;

export interface AuthorizationRequest {
  state: string;
  codeChallenge: string;
}

export type AuthorizationFault = 'invalid_request' | 'unsupported_response_type' | 'invalid_scope';

export type ParsedAuthorization =
  | { request: AuthorizationRequest }
  /** A fault of the request. The fault is sent to the client's redirect URI (RFC 6749 §4.1.2.1). */
  | { fault: AuthorizationFault; state: string | null };

/**
 * Checks the query of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3).
 * @throws AppError bad_request when the client or the redirect URI is not that of the console. The browser must not be redirected then.
 */
export function parseAuthorization(query: URLSearchParams, baseUrl: string): ParsedAuthorization {
  const once = (name: string) => (query.getAll(name).length === 1 ? query.get(name) : null);
  if (once('client_id') !== CLIENT_ID || once('redirect_uri') !== redirectUriOf(baseUrl))
    throw new AppError('bad_request');
  const state = once('state');
  const codeChallenge = once('code_challenge');
  if (once('response_type') !== 'code') return { fault: 'unsupported_response_type', state };
  if (query.has('scope') && once('scope') !== 'user') return { fault: 'invalid_scope', state };
  const isPkce =
    once('code_challenge_method') === 'S256' && codeChallenge !== null && /^[\w-]{43}$/.test(codeChallenge);
  if (!isPkce || state === null || !/^[\x21-\x7e]{8,200}$/.test(state)) return { fault: 'invalid_request', state };
  return { request: { state, codeChallenge } };
}

/** Returns the console's redirect URI with the parameters of the answer and the issuer (RFC 9207). */
export function answerUrl(baseUrl: string, answer: Readonly<Record<string, string | null>>): string {
  const url = new URL(redirectUriOf(baseUrl));
  url.searchParams.set('iss', baseUrl);
  for (const [name, value] of Object.entries(answer)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
}
