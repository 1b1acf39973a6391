import { accessToken, createAuthenticator, type TokenClaims } from '@millwright/auth';
import { DPOP_CHALLENGE, type RequireHolder } from '@millwright/auth/dpop';
import { AppError } from '@millwright/errors';
import { createGate, type GateOptions } from '@millwright/http';
import { Router, type RequestHandler } from 'express';
import type { GrantStore } from './grants.store.js';
import { claimsOf } from './user-claims.js';

export interface UserinfoOptions {
  gating: GateOptions;
  grants: Pick<GrantStore, 'findPrincipal'>;
  /** Returns the claims of an access token of this server. The token may have any audience. */
  verify: (token: string) => Promise<TokenClaims | undefined>;
  requireHolder: RequireHolder;
}

const PATH = '/oauth/userinfo';

/**
 * Endpoints `GET` and `POST /oauth/userinfo` (OpenID Connect Core 1.0 §5.3): return the user of an access token with the scope `openid`.
 * The token may have any audience. Other credentials are refused.
 */
export function userinfoEndpoint({ gating, grants, verify, requireHolder }: UserinfoOptions): Router {
  const gate = createGate({
    ...gating,
    authenticate: createAuthenticator(
      [
        {
          name: 'access-token',
          read: accessToken,
          verify: async (token, request) => {
            const claims = await verify(token);
            if (claims) await requireHolder(claims, token, request);
            return claims && grants.findPrincipal(claims);
          },
        },
      ],
      { onInvalid: 'unauthorized' },
    ),
    // A request without a token gets no error code (RFC 6750 §3.1).
    challenge: (_request, credential) =>
      `Bearer realm="millwright"${credential === 'wrong' ? ', error="invalid_token"' : ''}, ${DPOP_CHALLENGE}`,
  });
  const open: RequestHandler = (_request, response, next) => {
    response.locals.route = PATH;
    response.set({
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'WWW-Authenticate, DPoP-Nonce',
    });
    next();
  };
  const answer: RequestHandler = async (request, response) => {
    const { user, scopes } = await gate(request, response, 'credential', { scope: 'openid' });
    response.json(claimsOf(user, scopes));
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.get(PATH, open, answer);
  router.post(PATH, open, answer);
  router.options(PATH, open, async (request, response) => {
    await gate(request, response, 'public', 'public');
    response
      .set({
        'Access-Control-Allow-Methods': 'GET, POST',
        'Access-Control-Allow-Headers': 'Authorization, DPoP',
        'Access-Control-Max-Age': '86400',
      })
      .status(204)
      .end();
  });
  router.all(PATH, open, async (request, response) => {
    await gate(request, response, 'public', 'public');
    throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST' } });
  });
  return router;
}
