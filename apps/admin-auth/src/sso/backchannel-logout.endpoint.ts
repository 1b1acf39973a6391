import { AppError } from '@millwright/errors';
import type { Gate } from '@millwright/http';
import { OAuthError, oauthFormEndpoint, requestOrigin, requireParameters } from '@millwright/http/protocol';
import type { Router } from 'express';
import type { IssuerClient } from './issuer-client.js';
import type { LogoutStore } from './logout.store.js';
import { endSsoSessions } from './sso.contract.js';

export interface BackchannelLogoutOptions {
  gate: Gate;
  issuers: readonly IssuerClient[];
  logouts: LogoutStore;
}

/** `POST /admin/sso/<name>/backchannel-logout` (OpenID Connect Back-Channel Logout 1.0 §2.5): ends sessions before it answers. */
export function backchannelLogoutEndpoint({ gate, issuers, logouts }: BackchannelLogoutOptions): Router {
  return oauthFormEndpoint({
    paths: ['/admin/sso/:issuer/backchannel-logout'],
    gate,
    limit: endSsoSessions.limit,
    async answer(request) {
      const client = issuers.find(({ issuer: { name } }) => name === request.params['issuer']);
      if (!client) throw new AppError('not_found');
      const { logout_token: token } = requireParameters(
        request.body,
        'the body must be a form with logout_token, once',
      );
      if (token === undefined) throw new OAuthError('invalid_request', 'logout_token is missing');
      const logout = await client.verifyLogoutToken(token).catch((error: unknown) => {
        if (error instanceof AppError && error.status === 401)
          throw new OAuthError('invalid_request', 'logout_token is not valid');
        throw error;
      });
      const ended = await logouts.end(client.issuer, logout, requestOrigin(request));
      if (ended === undefined) throw new OAuthError('invalid_request', 'logout_token was used before');
      return { body: {} };
    },
  });
}
