import type { TokenClaims } from '@millwright/auth';
import type { Gate } from '@millwright/http';
import type { Router } from 'express';
import { authenticateClient, requireForm } from './client-authentication.js';
import type { ClientStore } from './clients.store.js';
import { formEndpoint, originOf } from './form-endpoint.js';
import type { GrantStore } from './grants.store.js';
import { OAuthError } from './oauth-error.js';

export interface TokenLifeOptions {
  gate: Gate;
  clients: ClientStore;
  grants: GrantStore;
  /** The claims of one of our access tokens, whatever it may be sent to. */
  verify: (token: string) => Promise<TokenClaims | undefined>;
}

/** `POST /oauth/revoke` (RFC 7009): ends the grant of a token of the client's, with every other token of it. */
export function revokeEndpoint({ gate, clients, grants, verify }: TokenLifeOptions): Router {
  return formEndpoint({
    path: '/oauth/revoke',
    gate,
    answer: async (request) => {
      const form = requireForm(request);
      const origin = originOf(request);
      const client = await authenticateClient(clients, request, origin, form);
      const token = form.values['token'];
      if (!token) throw new OAuthError('invalid_request', 'token is missing');
      const grantId = (await grants.findRefreshToken(client, token))?.grantId ?? (await verify(token))?.sid;
      // Unknown tokens are no error (§2.2); another client's grant is left alone.
      if (grantId !== undefined) await grants.revoke(client, origin, grantId, 'revoked by its client');
      return {};
    },
  });
}

/** `POST /oauth/introspect` (RFC 7662): whether a token of the client's is good, and for what. */
export function introspectEndpoint({
  gate,
  clients,
  grants,
  verify,
  runtimeUrl,
}: TokenLifeOptions & { runtimeUrl: string }): Router {
  const seconds = (date: Date) => Math.floor(date.getTime() / 1_000);
  return formEndpoint({
    path: '/oauth/introspect',
    gate,
    cors: false,
    answer: async (request) => {
      const form = requireForm(request);
      const client = await authenticateClient(clients, request, originOf(request), form);
      if (client.auth_method === 'none') throw new OAuthError('invalid_client', 'a client without a secret cannot ask');
      const token = form.values['token'];
      if (!token) throw new OAuthError('invalid_request', 'token is missing');
      const refresh = await grants.findRefreshToken(client, token);
      if (refresh) {
        const { scopes, userId, expires_at, created_at } = refresh;
        const times = { exp: seconds(expires_at), iat: seconds(created_at) };
        const body = {
          active: true,
          scope: scopes.join(' '),
          client_id: client.client_id,
          sub: userId,
          iss: runtimeUrl,
        };
        return { body: { ...body, ...times } };
      }
      const claims = await verify(token);
      const isOwn = claims?.client_id === client.client_id;
      const principal = claims && isOwn ? await grants.findPrincipal(claims) : undefined;
      if (!claims || !principal) return { body: { active: false } };
      const { scope, client_id, exp, iat, sub, aud, iss, jti } = claims;
      return { body: { active: true, token_type: 'Bearer', scope, client_id, exp, iat, sub, aud, iss, jti } };
    },
  });
}
