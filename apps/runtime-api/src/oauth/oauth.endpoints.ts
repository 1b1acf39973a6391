import { createTokenVerifier, type NewToken } from '@millwright/auth';
import { createKeyFinder } from '@millwright/auth/signing-keys';
import type { Database } from '@millwright/db';
import type { Egress } from '@millwright/egress';
import { createAddressLimit, type Gate } from '@millwright/http';
import type { Logger } from '@millwright/http/process';
import type { RateLimiter } from '@millwright/rate-limit';
import type { RequestHandler } from 'express';
import type { Config } from '../config.js';
import { createAuthorizationStore } from './authorizations.store.js';
import { authorizeEndpoint } from './authorize.endpoint.js';
import { createClientFinder } from './client-documents.js';
import { createClientStore } from './clients.store.js';
import type { GrantStore } from './grants.store.js';
import { metadataEndpoints } from './metadata.endpoint.js';
import { registerEndpoint } from './register.endpoint.js';
import { introspectEndpoint, revokeEndpoint } from './revoke.endpoint.js';
import { tokenEndpoint } from './token.endpoint.js';

export interface OAuthOptions {
  config: Pick<
    Config,
    'RUNTIME_URL' | 'BASE_URL' | 'OAUTH_DYNAMIC_REGISTRATION' | 'OAUTH_CLIENT_DOCUMENTS' | 'OAUTH_APP_SCHEMES'
  >;
  db: Database;
  egress: Egress;
  grants: GrantStore;
  gate: Gate;
  limiter: RateLimiter;
  sign: (token: NewToken) => string;
  logger: Logger;
}

/** Limit of the clients that an address may register. */
const REGISTRATIONS = { name: 'oauth-register', limit: 10, per: 'hour' } as const;
const AUTHORIZATIONS = { name: 'oauth-authorize', limit: 30 } as const;

/** The authorization server of the runtime API. */
export function oauthEndpoints({
  config,
  db,
  egress,
  grants,
  gate,
  limiter,
  sign,
  logger,
}: OAuthOptions): RequestHandler[] {
  const { RUNTIME_URL: runtimeUrl, BASE_URL: baseUrl } = config;
  const { OAUTH_DYNAMIC_REGISTRATION: registration, OAUTH_CLIENT_DOCUMENTS: clientDocuments } = config;
  const { OAUTH_APP_SCHEMES: appSchemes } = config;
  const clients = createClientStore(db);
  const authorizations = createAuthorizationStore(db);
  const verify = createTokenVerifier({
    issuer: runtimeUrl,
    audience: /./,
    findKey: createKeyFinder(db, 'runtime-api'),
  });
  const findClient = createClientFinder({ clients, egress, limiter, documents: clientDocuments, appSchemes });
  const tokens = { gate, clients, grants, verify };
  return [
    metadataEndpoints({ gate, runtimeUrl, registration, clientDocuments }),
    authorizeEndpoint({
      gate,
      limit: createAddressLimit(limiter, AUTHORIZATIONS),
      runtimeUrl,
      baseUrl,
      findClient,
      authorizations,
      logger,
    }),
    tokenEndpoint({ gate, clients, grants, authorizations, sign, runtimeUrl }),
    revokeEndpoint(tokens),
    introspectEndpoint({ ...tokens, runtimeUrl }),
    ...(registration
      ? [registerEndpoint({ gate, limit: createAddressLimit(limiter, REGISTRATIONS), clients, appSchemes })]
      : []),
  ];
}
