import { isStorable } from '@millwright/db';
import { OAuthError } from '@millwright/http/protocol';

/**
 * The parameters that an authentication request has in addition to the parameters of an authorization request (OpenID Connect Core 1.0
 * §3.1.2.1).
 */
export interface OpenIdRequest {
  nonce: string | undefined;
  prompt: string[];
  /** Maximum age of the user's sign-in, in seconds. */
  maxAge: number | undefined;
}

export const PROMPT_VALUES = ['none', 'login', 'consent', 'select_account'];

const MAX_NONCE_BYTES = 255;

/** Parses the parameters of an authentication request. @throws OAuthError invalid_request for an invalid or unsupported value */
export function parseOpenIdRequest(query: URLSearchParams): OpenIdRequest {
  return {
    nonce: parseNonce(query.get('nonce')),
    prompt: parsePrompt(query.get('prompt')),
    maxAge: parseMaxAge(query.get('max_age')),
  };
}

function parseNonce(nonce: string | null): string | undefined {
  if (nonce === null || nonce === '') return undefined;
  if (!isStorable(nonce)) throw new OAuthError('invalid_request', 'nonce is malformed');
  if (Buffer.byteLength(nonce) > MAX_NONCE_BYTES) throw new OAuthError('invalid_request', 'nonce is too long');
  return nonce;
}

function parsePrompt(prompt: string | null): string[] {
  const values = [...new Set(prompt?.split(' ').filter((value) => value !== '') ?? [])];
  if (values.some((value) => !PROMPT_VALUES.includes(value)))
    throw new OAuthError('invalid_request', `prompt must be of ${PROMPT_VALUES.join(', ')}`);
  if (values.includes('none') && values.length > 1)
    throw new OAuthError('invalid_request', 'prompt must be none alone, or without none');
  return values;
}

function parseMaxAge(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new OAuthError('invalid_request', 'max_age must be a number of seconds');
  return Number(text);
}
