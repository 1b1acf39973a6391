import { codeChallenge } from '@millwright/auth';
import type { Gate } from '@millwright/http';
import { OAuthError, oauthFormEndpoint, requestOrigin, requireParameters } from '@millwright/http/protocol';
import type { Router } from 'express';
import { heldBy } from '../sessions/user-context.js';
import { ACCESS_SECONDS, type CookieWriter, type SessionTokens } from '../sessions/cookies.js';
import type { OpenedSession } from '../sessions/sessions.store.js';
import { CLIENT_ID, redirectUriOf } from './authorization-request.js';
import type { CodeStore } from './codes.store.js';

export interface ConsoleTokenOptions {
  baseUrl: string;
  gate: Gate;
  codes: CodeStore;
  cookies: CookieWriter;
  mint: (opened: OpenedSession, isAdmin: boolean) => SessionTokens;
}

type Form = Readonly<Record<string, string>>;

/** `POST /admin/oauth/token`: exchanges the console's code for cookies (RFC 6749 §4.1.3, RFC 7636 §4.5). */
export function consoleTokenEndpoint({ baseUrl, gate, codes, cookies, mint }: ConsoleTokenOptions): Router {
  return oauthFormEndpoint({
    paths: ['/admin/oauth/token', '/api/v1/core/oauth/token'],
    gate,
    limit: 'sign-in',
    postOnly: false,
    async answer(request, response) {
      const form = requireParameters(
        request.body,
        'the body must be a form or a JSON object of strings, each parameter once',
      );
      requireGrantType(form);
      requireConsole(form, baseUrl);
      const code = requireParameter(form, 'code', /^[\x21-\x7e]{1,200}$/);
      const challenge = codeChallenge(requireParameter(form, 'code_verifier', /^[\w.~-]{43,128}$/));
      const from = {
        ...requestOrigin(request),
        userAgent: request.get('user-agent') ?? '',
        held: heldBy(response),
      };
      const exchanged = await codes.exchange(code, challenge, from);
      if (!exchanged) throw new OAuthError('invalid_grant', 'the code is not valid');
      cookies.setSession(response, mint(exchanged.opened, exchanged.isAdmin));
      // The body contains no token: the tokens are only in HttpOnly cookies, which scripts cannot read.
      const scope = exchanged.isAdmin ? 'user admin' : 'user';
      return { body: { token_type: 'Bearer', expires_in: ACCESS_SECONDS, scope } };
    },
  });
}

function requireGrantType(form: Form): void {
  if (form['grant_type'] === undefined) throw new OAuthError('invalid_request', 'grant_type is missing');
  if (form['grant_type'] !== 'authorization_code') {
    throw new OAuthError('unsupported_grant_type', 'the grant type is authorization_code');
  }
}

/**
 * Refuses a form with another client id or redirect URI than the console's. The console is a public client (RFC 6749 §4.1.3): it proves its
 * identity by the verifier of the code.
 */
function requireConsole(form: Form, baseUrl: string): void {
  if (form['client_id'] !== CLIENT_ID) throw new OAuthError('invalid_client', 'the client is unknown');
  if (form['redirect_uri'] !== redirectUriOf(baseUrl))
    throw new OAuthError('invalid_grant', 'redirect_uri is another one');
}

function requireParameter(form: Form, name: string, format: RegExp): string {
  const value = form[name];
  if (value === undefined || !format.test(value))
    throw new OAuthError('invalid_request', `${name} is missing or malformed`);
  return value;
}
