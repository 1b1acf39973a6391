import { databaseFailure } from '@millwright/db';
import type { AddressLimit, Gate } from '@millwright/http';
import { requestIdOf, type Logger } from '@millwright/http/process';
import { OAuthError } from '@millwright/http/protocol';
import { AppError } from '@millwright/errors';
import express, { Router, type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import {
  parseAuthorization,
  requireClient,
  requireRecipient,
  UntrustedRequest,
  type Recipient,
} from './authorization-request.js';
import type { AuthorizationStore, BegunAuthorization } from './authorizations.store.js';
import type { FindClient } from './client-documents.js';
import { FORM, parametersOf } from './browser-parameters.js';
import {
  cookieName,
  cookieOf,
  mayReceiveErrors,
  RETURN_PATH,
  setBrowserCookie,
  setConsented,
} from './browser-cookie.js';
import type { ReadHint } from './id-token-hints.js';
import { sendErrorPage } from './error-page.js';

export interface AuthorizeOptions {
  gate: Gate;
  /** Limit of the authorizations that one IP address may start. */
  limit: AddressLimit;
  runtimeUrl: string;
  /** The address of admin-auth. */
  baseUrl: string;
  findClient: FindClient;
  authorizations: AuthorizationStore;
  readHint: ReadHint;
  /** Whether only pushed requests are accepted. */
  pushedOnly: boolean;
  logger: Logger;
}

/**
 * `GET /oauth/authorize` (RFC 6749 §3.1): redirects the browser to admin-auth for sign-in and consent, and then to the client with the
 * answer.
 */
export function authorizeEndpoint(options: AuthorizeOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const guard: RequestHandler = async (request, response, next) => {
    response.locals.route = '/oauth/authorize';
    // Keeps codes and states out of the header Referer of the next request.
    response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache', 'Referrer-Policy': 'no-referrer' });
    await options.gate(request, response, 'public', 'public');
    next();
  };
  router.get('/oauth/authorize', guard, begin(options), showUntrusted);
  router.post('/oauth/authorize', guard, express.text({ type: FORM, limit: 65_536 }), begin(options), showUntrusted);
  router.get('/oauth/authorize/return', guard, finish(options), showUntrusted);
  for (const [path, allow] of [
    ['/oauth/authorize', 'GET, HEAD, POST'],
    ['/oauth/authorize/return', 'GET, HEAD'],
  ] as const) {
    router.all(path, guard, () => {
      throw new AppError('method_not_allowed', { headers: { Allow: allow } });
    });
  }
  return router;
}

function begin(options: AuthorizeOptions): RequestHandler {
  const { limit, runtimeUrl, baseUrl, findClient, authorizations, readHint, pushedOnly, logger } = options;
  function toConsole(response: Response, { request: name, browser, isSilent }: BegunAuthorization): void {
    setBrowserCookie(response, runtimeUrl, name, browser);
    response.redirect(303, `${baseUrl}/admin/consent${isSilent ? '/silent' : ''}?request=${name}`);
  }
  return async (request, response) => {
    await limit(request, response);
    const parameters = parametersOf(request);
    const find = (id: string) => findClient(id, request.ip ?? '');
    const requestUris = parameters.getAll('request_uri');
    if (requestUris.length > 0) {
      const client = await requireClient(parameters, find);
      const begun = requestUris.length === 1 && (await authorizations.beginPushed(requestUris[0] ?? '', client));
      if (!begun)
        throw new UntrustedRequest(
          'The request of the application has expired or was used before. Start again at the application.',
        );
      toConsole(response, begun);
      return;
    }
    if (pushedOnly)
      throw new UntrustedRequest('The application must send its request to this server first (POST /oauth/par).');
    const recipient = await requireRecipient(parameters, find);
    try {
      const authorization = parseAuthorization(parameters, recipient, runtimeUrl);
      toConsole(response, await authorizations.begin(await readHint(authorization, parameters)));
    } catch (error) {
      const { code, description } = error instanceof OAuthError ? error : unexpected(error);
      if (code === 'server_error') logger.error({ err: error, request_id: requestIdOf(request) }, description);
      if (!mayReceiveErrors(request, recipient.client))
        throw new UntrustedRequest(`The request of the application was refused: ${description} (${code}).`);
      answer(response, runtimeUrl, recipient, { error: code, error_description: description });
    }
  };
}

/**
 * Converts an error to the error code for the redirect. A status of 500 or 503 would be sent to the browser only, and the client would not
 * receive it (RFC 6749 §4.1.2.1).
 */
function unexpected(error: unknown): OAuthError {
  const isDown = databaseFailure(error) instanceof AppError;
  return isDown
    ? new OAuthError('temporarily_unavailable', 'try again in a moment')
    : new OAuthError('server_error', 'the authorization could not begin');
}

function finish({ runtimeUrl, authorizations }: AuthorizeOptions): RequestHandler {
  return async (request, response) => {
    const parameters = parametersOf(request);
    const [name, ticket] = [parameters.get('request') ?? '', parameters.get('ticket') ?? ''];
    const browser = cookieOf(request, cookieName(name)) ?? '';
    const finished = await authorizations.finish({ request: name, ticket, browser });
    if (!finished) {
      throw new UntrustedRequest(
        'This authorization was not begun in this browser, was used before, or took more than ten minutes.',
      );
    }
    response.clearCookie(cookieName(name), { path: RETURN_PATH });
    const { redirectUri, state, code, refusal, clientUuid } = finished;
    if (code !== undefined) setConsented(response, runtimeUrl, clientUuid);
    const result: Record<string, string> = code === undefined ? { error: refusal } : { code };
    answer(response, runtimeUrl, { redirectUri, state: state ?? undefined }, result);
  };
}

/** Redirects with the answer (RFC 6749 §4.1.2) and the issuer (RFC 9207 §2). Status 303 prevents browsers from posting a form again. */
function answer(
  response: Response,
  runtimeUrl: string,
  { redirectUri, state }: Pick<Recipient, 'redirectUri' | 'state'>,
  result: Readonly<Record<string, string>>,
): void {
  const parameters = new URLSearchParams({ ...result, ...(state !== undefined && { state }), iss: runtimeUrl });
  const separator = redirectUri.includes('?') ? '&' : '?';
  response.redirect(303, `${redirectUri}${separator}${parameters.toString()}`);
}

const showUntrusted: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (error instanceof UntrustedRequest) sendErrorPage(response, error.message);
  else next(error);
};
