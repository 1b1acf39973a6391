import { effectiveScopes, rolesOf, userOf, type NewToken, type Principal, type TokenClaims } from '@millwright/auth';
import { encodeId } from '@millwright/db';
import { requestIdOf } from '@millwright/http';
import type { Request, RequestHandler, Response } from 'express';
import { ACCESS_SECONDS, readCookie, type CookieWriter, type SessionTokens } from './cookies.js';
import type { OpenedSession, SessionRow, SessionStore } from './sessions.store.js';

/** Who asks, of one request. */
export interface UserContext {
  sessionId: string;
  principal: Principal;
  isAdmin: boolean;
  isPlatformAdmin: boolean;
  /** Proved just now to be who they are: until `freshUntil`. */
  fresh: boolean;
  freshUntil: Date;
}

export interface SessionsOptions {
  baseUrl: string;
  sign: (token: NewToken) => string;
  verify: (token: string) => Promise<TokenClaims | undefined>;
  store: SessionStore;
  cookies: CookieWriter;
}

const contexts = new WeakMap<object, UserContext>();

/** The signed-in user of a request that passed {@link userContext}, by the request or by the principal it got. */
export function contextOf(requestOrPrincipal: object): UserContext | undefined {
  return contexts.get(requestOrPrincipal);
}

function toContext(row: SessionRow): UserContext {
  const roles = rolesOf(row);
  const isAdmin = roles.includes('admin');
  const credential = { kind: 'access_token', id: encodeId('ses', row.session_id), plan: 'standard' } as const;
  return {
    sessionId: row.session_id,
    principal: { user: userOf(row), project: row.project, roles, scopes: effectiveScopes(['*'], isAdmin), credential },
    isAdmin,
    isPlatformAdmin: roles.includes('platform_admin'),
    fresh: row.fresh,
    freshUntil: row.fresh_until,
  };
}

/** The cookies' values for a session that was opened or went on. The scope is fixed here (spec, "Area A records"). */
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

/** Spec, "Required scope": user or admin. */
const SCOPES = /(^| )(user|admin)( |$)/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The first of the two layers: validates the JWT and loads roles and project; renews an expired JWT by its refresh token. */
export function userContext(options: SessionsOptions): RequestHandler {
  const { store } = options;

  async function find(sessionId: string, userId: string): Promise<UserContext | undefined> {
    if (!UUID.test(sessionId) || !UUID.test(userId)) return undefined;
    const row = await store.find(sessionId, userId);
    if (row && !row.seen_recently) store.noteSeen(sessionId);
    return row && toContext(row);
  }

  async function renew(request: Request, response: Response): Promise<UserContext | undefined> {
    const token = readCookie(request, 'refresh_token');
    const opened =
      token === undefined ? undefined : await store.rotate(token, { requestId: requestIdOf(request), ip: request.ip });
    const context = opened && (await find(opened.sessionId, opened.userId));
    if (context) options.cookies.setSession(response, mintTokens(options, opened, context.isAdmin));
    return context;
  }

  return async (request, response, next) => {
    const token = readCookie(request, 'access_token');
    const claims = token === undefined ? undefined : await options.verify(token);
    const isOurs = claims && SCOPES.test(claims.scope);
    const context = isOurs ? await find(claims.sid, claims.sub) : await renew(request, response);
    if (context) {
      contexts.set(request, context).set(context.principal, context);
      response.locals['principalId'] = context.principal.user.id;
    }
    next();
  };
}
