import { randomBytes } from 'node:crypto';
import { callerOf, isOneTimeToken } from '@millwright/auth';
import { AppError } from '@millwright/errors';
import { CredentialMissing, createAddressLimit, prefersPage, type EndpointContract, type Gate } from '@millwright/http';
import type { Logger } from '@millwright/http/process';
import { requestOrigin } from '@millwright/http/protocol';
import type { RateLimiter } from '@millwright/rate-limit';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { SendPage } from '../pages/send-page.js';
import { countSignIn } from '../protection/count-sign-in.js';
import { afterSignIn } from '../pages/home-page.js';
import { redirectTarget } from '../protection/redirect-target.js';
import { readCookie, type CookieWriter, type SessionTokens } from '../sessions/cookies.js';
import type { OpenedSession } from '../sessions/sessions.store.js';
import { heldBy } from '../sessions/user-context.js';
import type { Claims, IssuerClient } from './issuer-client.js';
import type { IdentityStore, SsoRefusal } from './identities.store.js';
import { refusalPage } from './refusal-page.js';
import { beginSso, confirmSso, finishSso } from './sso.contract.js';
import type { ConsumedRequest, SsoRequestStore } from './sso-requests.store.js';

export interface SsoOptions {
  gate: Gate;
  limiter: RateLimiter;
  logger: Logger;
  cookies: CookieWriter;
  mint: (opened: OpenedSession, isAdmin: boolean) => SessionTokens;
  sendPage: SendPage;
  issuers: readonly IssuerClient[];
  requests: SsoRequestStore;
  identities: IdentityStore;
}

/** Limit of the sign-ins that an IP address begins per minute, because each sign-in stores a row until the row expires. */
const BEGUN = { name: 'ip-sso', limit: 120 };
/**
 * Maximum length of the address to return to, because the row contains this address. A sign-in with a longer address leads to the first
 * page of the console.
 */
const TARGET_LENGTH = 500;

type Handler = RequestHandler<{ issuer: string }>;

/** A refusal whose reason selects the page that the browser gets. */
class SignInRefused extends AppError {
  readonly reason: SsoRefusal;

  constructor(reason: SsoRefusal) {
    super('unauthorized');
    this.reason = reason;
  }
}

/** Builds the address that starts a sign-in. */
export const beginPath = (name: string, target?: string): string =>
  `/admin/sso/${name}${target === undefined ? '' : `?redirect=${encodeURIComponent(target)}`}`;

/**
 * Makes the endpoints `GET /admin/sso/<name>`, `GET /admin/sso/<name>/callback` and `GET /admin/sso/confirm` (OpenID Connect Core 1.0
 * §3.1).
 */
export function ssoEndpoints(options: SsoOptions): Router {
  const { gate, limiter, logger, cookies, mint, sendPage, issuers, requests, identities } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const countBegun = createAddressLimit(limiter, BEGUN);

  /** Counts a request against the limit of its contract before the request is handled. */
  const admit =
    ({ access, limit }: EndpointContract): Handler =>
    async (request, response, next) => {
      response.set('Cache-Control', 'no-store');
      await gate(request, response, limit, access);
      next();
    };

  /** Serves a contract at its path, and answers other methods 405. */
  function serve(contract: EndpointContract, ...handlers: Handler[]): void {
    const path = contract.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.get(path, ...handlers);
    router.all(path, admit(contract), () => {
      throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
    });
  }

  /** Redirects the browser to the issuer, with a state that only this browser can return. */
  async function begin(
    request: Request,
    response: Response,
    client: IssuerClient,
    stepUp?: { sessionId: string; email: string },
  ): Promise<void> {
    await countBegun(request, response);
    const asked = redirectTarget(request.query['redirect']);
    const target = asked !== undefined && asked.length <= TARGET_LENGTH ? asked : '/admin';
    const browser = browserOf(request, response, cookies);
    const purpose = stepUp ? 'step_up' : 'sign_in';
    const { url: issuer } = client.issuer;
    const flow = await requests.begin(browser, { issuer, purpose, sessionId: stepUp?.sessionId ?? null, target });
    response.redirect(303, await client.authorizationUrl(flow, stepUp?.email));
  }

  /** Redirects the user to the issuer that opened the session, to sign in there again in place of a passkey proof. */
  async function confirm(request: Request, response: Response): Promise<void> {
    const { session } = await gate(request, response, confirmSso.limit, confirmSso.access);
    const opener = await identities.issuerOf(session.id);
    const client = issuers.find(({ issuer }) => issuer.url === opener?.url);
    if (!opener || !client) throw new AppError('not_found');
    await begin(request, response, client, { sessionId: session.id, email: opener.email });
  }

  async function requireClaims(request: Request, client: IssuerClient) {
    const { state } = request.query;
    const browser = readCookie(request, 'sso');
    if (typeof state !== 'string' || !isOneTimeToken(state)) throw new AppError('bad_request');
    if (browser === undefined) throw new AppError('unauthorized');
    const begun = await requests.consume(browser, state);
    // The answer must arrive at the redirect URI of the requested issuer; otherwise it may be part of a mix-up attack (RFC 9700 §4.4.2).
    if (begun?.request.issuer !== client.issuer.url) throw new AppError('unauthorized');
    const { search } = new URL(request.originalUrl, 'http://path.invalid');
    return { begun: begun.request, claims: await client.redeem(search, begun.flow) };
  }

  async function signIn(
    request: Request,
    response: Response,
    { issuer }: IssuerClient,
    claims: Claims,
    { target }: ConsumedRequest,
  ): Promise<void> {
    const from = { ...requestOrigin(request), userAgent: request.get('user-agent') ?? '', held: heldBy(response) };
    const result = await identities.signIn(issuer, claims, from);
    if ('refusal' in result) throw new SignInRefused(result.refusal);
    cookies.setSession(response, mint(result.opened, result.isAdmin));
    response.redirect(303, afterSignIn(target));
  }

  async function stepUp(
    request: Request,
    response: Response,
    { issuer }: IssuerClient,
    claims: Claims,
    { session_id, target, created_at: since }: ConsumedRequest,
  ): Promise<void> {
    const { signedIn } = response.locals;
    if (!signedIn || signedIn.session.id !== session_id) throw new AppError('unauthorized');
    const { actor, project } = callerOf(signedIn, requestOrigin(request));
    await identities.proveSession(issuer, claims, { id: session_id, actor, project, since });
    response.redirect(303, target);
  }

  async function finish(request: Request, response: Response, client: IssuerClient): Promise<void> {
    const { begun, claims } = await requireClaims(request, client);
    if (begun.purpose === 'step_up') await stepUp(request, response, client, claims, begun);
    else await signIn(request, response, client, claims, begun);
  }

  /** Runs the work of a request. When the work fails, a browser gets a page, because a person reads the answer. */
  async function withPages(name: string, request: Request, response: Response, work: () => Promise<void>) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError) || error instanceof CredentialMissing || !(error.status in PAGES)) throw error;
      const reason = error instanceof SignInRefused ? error.reason : undefined;
      const err = error.cause ?? error;
      logger[error.status === 503 ? 'warn' : 'info'](
        { event: 'sso.refused', issuer: name, reason, err, request_id: requestOrigin(request).requestId },
        'a single sign-on was refused',
      );
      if (!prefersPage(request)) throw error;
      sendPage(response, error.status, refusalPage(error.status, reason));
    }
  }

  /** Finds the issuer by its name. For an unknown name, browsers get the page for unknown addresses, and programs get 404. */
  const atIssuer =
    (handler: (request: Request, response: Response, client: IssuerClient) => Promise<void>): Handler =>
    async (request, response, next) => {
      const { issuer: name } = request.params;
      const client = issuers.find(({ issuer }) => issuer.name === name);
      if (client) await withPages(name, request, response, () => handler(request, response, client));
      else if (prefersPage(request)) next('router');
      else throw new AppError('not_found');
    };

  serve(confirmSso, (request, response) => withPages('confirm', request, response, () => confirm(request, response)));
  serve(
    beginSso,
    admit(beginSso),
    atIssuer((request, response, client) => begin(request, response, client)),
  );
  serve(
    finishSso,
    admit(finishSso),
    atIssuer((request, response, client) => countSignIn('sso', finish(request, response, client))),
  );
  return router;
}

/** Statuses answered with a page; the service's error renderer handles all other statuses. */
const PAGES = { 400: true, 401: true, 403: true, 404: true, 409: true, 422: true, 503: true };

/** Returns the cookie that binds requests to their browser; creates the cookie when it is missing. */
function browserOf(request: Request, response: Response, cookies: CookieWriter): string {
  const kept = readCookie(request, 'sso');
  const browser = kept !== undefined && /^[\w-]{43}$/.test(kept) ? kept : randomBytes(32).toString('base64url');
  cookies.setSso(response, browser);
  return browser;
}
