import { effectiveScopes, rolesOf, userOf, type NewToken, type TokenClaims } from '@millwright/auth';
import { encodeId, isUuid } from '@millwright/db';
import { createAddressLimit, type SessionPrincipal } from '@millwright/http';
import { requestIdOf } from '@millwright/http/process';
import { ipKey, type RateLimiter } from '@millwright/rate-limit';
import type { Request, RequestHandler, Response } from 'express';
import { ACCESS_SECONDS, readCookie, type CookieWriter, type SessionTokens } from './cookies.js';
import type { HeldSession, OpenedSession, SessionRow, SessionStore } from './sessions.store.js';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express declares what a response carries in this namespace
  namespace Express {
    interface Locals {
      /** The signed-in user. {@link userContext} sets it. */
      signedIn?: SessionPrincipal;
    }
  }
}

export interface SessionsOptions {
  baseUrl: string;
  sign: (token: NewToken) => string;
  verify: (token: string) => Promise<TokenClaims | undefined>;
  store: SessionStore;
  cookies: CookieWriter;
  limiter: RateLimiter;
}

function toPrincipal(row: SessionRow): SessionPrincipal {
  const roles = rolesOf(row);
  return {
    user: userOf(row),
    project: row.project,
    roles,
    scopes: effectiveScopes(['*'], roles),
    credential: { kind: 'access_token', id: encodeId('ses', row.session_id), plan: 'standard' },
    session: { id: row.session_id, fresh: row.fresh, freshUntil: row.fresh_until, provenAt: row.proven_at },
  };
}

/** Makes the cookie values of a session that was opened or renewed. The scope depends on the role. */
export function mintTokens(
  { sign, baseUrl }: Pick<SessionsOptions, 'sign' | 'baseUrl'>,
  opened: OpenedSession,
  isAdmin: boolean,
): SessionTokens {
  const accessToken = sign({
    issuer: baseUrl,
    audience: baseUrl,
    subject: opened.userId,
    scope: isAdmin ? 'user admin' : 'user',
    sid: opened.sessionId,
    clientId: 'marketplace-admin',
    expiresIn: ACCESS_SECONDS,
  });
  return { accessToken, refreshToken: opened.refreshToken };
}

/** Returns the session of the browser, which a new sign-in replaces; `undefined` when the browser has none. */
export function heldBy({ locals: { signedIn } }: Response): HeldSession | undefined {
  if (!signedIn) return undefined;
  const { session, user } = signedIn;
  return { sessionId: session.id, userId: user.id, userName: user.name };
}

/** Matches the scope of a console token: `user` or `admin`. */
const SCOPES = /(^| )(user|admin)( |$)/;
/** The format of a refresh token. Any other text is refused without a query. */
const REFRESH_TOKEN = /^mw_rt_[\w-]{43}$/;

/** Limit of refused refresh tokens per IP address. Over the limit, no further token from that address is looked up. */
const REFUSED = { name: 'ip-refresh', limit: 100 };

/**
 * Validates the access token, and loads the user's roles and project. Renews an expired access token when the request has a refresh token.
 */
export function userContext(options: SessionsOptions): RequestHandler {
  const { store, limiter } = options;
  const countRefused = createAddressLimit(limiter, REFUSED);

  async function find(sessionId: string, userId: string): Promise<SessionPrincipal | undefined> {
    if (!isUuid(sessionId) || !isUuid(userId)) return undefined;
    const row = await store.find(sessionId, userId);
    if (row && !row.seen_recently) store.noteSeen(sessionId);
    return row && toPrincipal(row);
  }

  async function renew(request: Request, response: Response): Promise<SessionPrincipal | undefined> {
    const token = readCookie(request, 'refresh_token');
    if (token === undefined || !REFRESH_TOKEN.test(token)) return undefined;
    if (limiter.isSpent(REFUSED, ipKey(request.ip ?? ''))) await countRefused(request, response);
    const opened = await store.rotate(token, { requestId: requestIdOf(request), ip: request.ip });
    if (!opened) {
      await countRefused(request, response);
      return undefined;
    }
    const principal = await find(opened.sessionId, opened.userId);
    if (principal) options.cookies.setSession(response, mintTokens(options, opened, principal.roles.includes('admin')));
    return principal;
  }

  return async (request, response, next) => {
    const token = readCookie(request, 'access_token');
    const claims = token === undefined ? undefined : await options.verify(token);
    const isOurs = claims && SCOPES.test(claims.scope);
    const principal = isOurs ? await find(claims.sid, claims.sub) : await renew(request, response);
    if (principal) {
      response.locals.signedIn = principal;
      response.locals.principalId = principal.user.id;
    }
    next();
  };
}
