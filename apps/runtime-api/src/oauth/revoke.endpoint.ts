import { rolesOf, type TokenClaims } from '@millwright/auth';
import type { Gate } from '@millwright/http';
import { OAuthError, oauthFormEndpoint, requestOrigin } from '@millwright/http/protocol';
import type { Router } from 'express';
import { requireForm, type AuthenticateClient } from './client-authentication.js';
import type { GrantStore } from './grants.store.js';
import { clientScopes, grantScopes } from './scopes.js';

export interface TokenLifeOptions {
  gate: Gate;
  authenticate: AuthenticateClient;
  grants: GrantStore;
  /** Returns the claims of an access token of this server. The token may have any audience. */
  verify: (token: string) => Promise<TokenClaims | undefined>;
}

/**
 * `POST /oauth/revoke` (RFC 7009): ends the grant of a client's token with all tokens of the grant. For the grant that a client opened for
 * itself, ends only the given access token, because all requests of the client share this grant.
 */
export function revokeEndpoint({ gate, authenticate, grants, verify }: TokenLifeOptions): Router {
  return oauthFormEndpoint({
    paths: ['/oauth/revoke'],
    cors: true,
    gate,
    answer: async (request) => {
      const form = requireForm(request);
      const origin = requestOrigin(request);
      const client = await authenticate(request, form);
      const token = form.values['token'];
      if (!token) throw new OAuthError('invalid_request', 'token is missing');
      // An unknown token is not an error (§2.2). A token of another client is treated in the same way.
      const refresh = await grants.findRefreshToken(client, token);
      const claims = refresh ? undefined : await verify(token);
      if (refresh) await grants.revoke(client, origin, refresh.grantId);
      if (claims) await grants.revokeAccessToken(client, origin, claims);
      return {};
    },
  });
}

/** `POST /oauth/introspect` (RFC 7662): answers whether one of the client's tokens is valid, and which scopes it has now. */
export function introspectEndpoint({
  gate,
  authenticate,
  grants,
  verify,
  runtimeUrl,
}: TokenLifeOptions & { runtimeUrl: string }): Router {
  const seconds = (date: Date) => Math.floor(date.getTime() / 1_000);
  return oauthFormEndpoint({
    paths: ['/oauth/introspect'],

    gate,

    answer: async (request) => {
      const form = requireForm(request);
      const client = await authenticate(request, form);
      if (client.auth_method === 'none') throw new OAuthError('invalid_client', 'a client without a secret cannot ask');
      const token = form.values['token'];
      if (!token) throw new OAuthError('invalid_request', 'token is missing');
      const refresh = await grants.findRefreshToken(client, token);
      if (refresh) {
        const { scopes, userId, expires_at, created_at, jkt } = refresh;
        const times = { exp: seconds(expires_at), iat: seconds(created_at) };
        const body = {
          active: true,
          scope: [...grantScopes(scopes, clientScopes(client), rolesOf(refresh))].join(' '),
          client_id: client.client_id,
          sub: userId,
          iss: runtimeUrl,
        };
        return { body: { ...body, ...times, ...(jkt !== null && { cnf: { jkt } }) } };
      }
      const claims = await verify(token);
      const isOwn = claims?.client_id === client.client_id;
      const principal = claims && isOwn ? await grants.findPrincipal(claims) : undefined;
      if (!claims || !principal) return { body: { active: false } };
      const { client_id, exp, iat, sub, aud, iss, jti, cnf, act } = claims;
      const token_type = cnf ? 'DPoP' : 'Bearer';
      const scope = [...principal.scopes].join(' ');
      return {
        body: {
          ...{ active: true, token_type, scope, client_id, exp, iat, sub, aud, iss, jti },
          ...(cnf && { cnf }),
          ...(act && { act }),
        },
      };
    },
  });
}
