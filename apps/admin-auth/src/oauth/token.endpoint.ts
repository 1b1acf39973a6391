import { createHash } from 'node:crypto';
import { requestIdOf, type Gate } from '@millwright/http';
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { countByAddress } from '../protection/count-by-address.js';
import { readJson } from '../protection/json-body.js';
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

type Refusal = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type';

/** A refusal in the protocol's own words (RFC 6749 §5.2). */
class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  constructor(
    readonly code: Refusal,
    readonly description: string,
  ) {
    super(`${code}: ${description}`);
  }
}

type Form = Readonly<Record<string, string>>;

/** `POST /admin/oauth/token`: the console's code becomes its cookies (RFC 6749 §4.1.3, RFC 7636 §4.5). */
export function consoleTokenEndpoint({ baseUrl, gate, codes, cookies, mint }: ConsoleTokenOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const count = countByAddress(gate);
  const answer: RequestHandler = async (request, response) => {
    const form = requireForm(request);
    requireGrantType(form);
    requireConsole(form, baseUrl);
    const code = requireParameter(form, 'code', /^[\x21-\x7e]{1,200}$/);
    const challenge = challengeOf(requireParameter(form, 'code_verifier', /^[\w.~-]{43,128}$/));
    const from = { ip: request.ip ?? '', userAgent: request.get('user-agent') ?? '', requestId: requestIdOf(request) };
    const exchanged = await codes.exchange(code, challenge, from);
    if (!exchanged) throw new TokenRefused('invalid_grant', 'the code is not valid');
    cookies.setSession(response, mint(exchanged.opened, exchanged.isAdmin));
    // The tokens themselves go into HttpOnly cookies only, out of the reach of scripts.
    response.json({
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      scope: exchanged.isAdmin ? 'user admin' : 'user',
    });
  };
  const paths = ['/admin/oauth/token', '/api/v1/core/oauth/token'];
  router.post(paths, count, express.urlencoded({ extended: false, limit: 65_536 }), readJson, answer, refuse);
  return router;
}

/** Form or JSON, each parameter once. */
function requireForm(request: Request): Form {
  const form: unknown = request.body;
  const isObject = typeof form === 'object' && form !== null && !Array.isArray(form);
  if (!isObject || Object.values(form).some((value) => typeof value !== 'string')) {
    throw new TokenRefused(
      'invalid_request',
      'the body must be a form or a JSON object of strings, each parameter once',
    );
  }
  return form as Form;
}

function requireGrantType(form: Form): void {
  if (form['grant_type'] === undefined) throw new TokenRefused('invalid_request', 'grant_type is missing');
  if (form['grant_type'] !== 'authorization_code') {
    throw new TokenRefused('unsupported_grant_type', 'the grant type is authorization_code');
  }
}

/** A public client (RFC 6749 §4.1.3): who it is is proved by the verifier. */
function requireConsole(form: Form, baseUrl: string): void {
  if (form['client_id'] !== CLIENT_ID) throw new TokenRefused('invalid_client', 'the client is unknown');
  if (form['redirect_uri'] !== redirectUriOf(baseUrl))
    throw new TokenRefused('invalid_grant', 'redirect_uri is another one');
}

function requireParameter(form: Form, name: string, format: RegExp): string {
  const value = form[name];
  if (value === undefined || !format.test(value))
    throw new TokenRefused('invalid_request', `${name} is missing or malformed`);
  return value;
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

const refuse: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const { type, status } = error as { type?: unknown; status?: unknown };
  const isUnreadable = typeof type === 'string' && typeof status === 'number' && status < 500;
  const refusal = isUnreadable ? new TokenRefused('invalid_request', 'the body cannot be read') : error;
  if (!(refusal instanceof TokenRefused)) {
    next(error);
    return;
  }
  response
    .status(refusal.code === 'invalid_client' ? 401 : 400)
    .json({ error: refusal.code, error_description: refusal.description });
};
