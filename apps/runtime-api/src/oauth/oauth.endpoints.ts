import { createKeyFinder, createTokenVerifier, type NewToken } from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { Egress } from '@millwright/egress';
import type { Gate, Logger } from '@millwright/http';
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
  config: Pick<Config, 'RUNTIME_URL' | 'BASE_URL' | 'OAUTH_DYNAMIC_REGISTRATION' | 'OAUTH_CLIENT_DOCUMENTS'>;
  db: Database;
  egress: Egress;
  grants: GrantStore;
  gate: Gate;
  sign: (token: NewToken) => string;
  logger: Logger;
}

/** The authorization server of area C. */
export function oauthEndpoints({ config, db, egress, grants, gate, sign, logger }: OAuthOptions): RequestHandler[] {
  const { RUNTIME_URL: runtimeUrl, BASE_URL: baseUrl } = config;
  const { OAUTH_DYNAMIC_REGISTRATION: registration, OAUTH_CLIENT_DOCUMENTS: clientDocuments } = config;
  const clients = createClientStore(db);
  const authorizations = createAuthorizationStore(db);
  const verify = createTokenVerifier({
    issuer: runtimeUrl,
    audience: /./,
    findKey: createKeyFinder(db, 'runtime-api'),
  });
  const findClient = createClientFinder(clients, egress, clientDocuments);
  const tokens = { gate, clients, grants, verify };
  return [
    metadataEndpoints({ gate, runtimeUrl, registration, clientDocuments }),
    authorizeEndpoint({ gate, runtimeUrl, baseUrl, findClient, authorizations, logger }),
    tokenEndpoint({ gate, clients, grants, authorizations, sign, runtimeUrl }),
    revokeEndpoint(tokens),
    introspectEndpoint({ ...tokens, runtimeUrl }),
    ...(registration ? [registerEndpoint({ gate, clients })] : []),
  ];
}
