import { createTokenVerifier, type NewToken } from '@millwright/auth';
import type { NewIdToken } from '@millwright/auth/id-tokens';
import { createAgentTokenVerifier } from '@millwright/auth/agent-tokens';
import type { RequireHolder, VerifyProof } from '@millwright/auth/dpop';
import { createIdTokenHintVerifier } from '@millwright/auth/id-tokens';
import { createKeyFinder } from '@millwright/auth/signing-keys';
import type { Database } from '@millwright/db';
import type { Egress } from '@millwright/egress';
import { createAddressLimit, type Gate, type GateOptions } from '@millwright/http';
import type { Logger } from '@millwright/http/process';
import type { AgentTokenIssuer } from '@millwright/mcp/agent-tokens';
import type { Budget, RateLimiter } from '@millwright/rate-limit';
import type { RequestHandler } from 'express';
import type { Config } from '../config.js';
import { createAssertionUserStore } from './assertion-users.store.js';
import { createAssertionStore } from './assertions.store.js';
import { createAuthorizationStore } from './authorizations.store.js';
import { authorizeEndpoint } from './authorize.endpoint.js';
import { createClientAssertionVerifier } from './client-assertions.js';
import { createClientAuthentication } from './client-authentication.js';
import { createClientFinder } from './client-documents.js';
import { createClientKeyFinder } from './client-keys.js';
import { createClientLimit, createPollCounter, createTokenLimits } from './client-limits.js';
import { createClientStore } from './clients.store.js';
import { deviceAuthorizationEndpoint } from './device-authorization.endpoint.js';
import { endSessionEndpoint } from './end-session.endpoint.js';
import { createExchangeStore } from './exchange.store.js';
import type { GrantStore } from './grants.store.js';
import { createIdAssertionVerifier } from './id-assertions.js';
import { createHintReader } from './id-token-hints.js';
import { createJwtBearer } from './jwt-bearer.js';
import { metadataEndpoints } from './metadata.endpoint.js';
import { pushedRequestsEndpoint } from './pushed-requests.endpoint.js';
import { registerEndpoint } from './register.endpoint.js';
import { introspectEndpoint, revokeEndpoint } from './revoke.endpoint.js';
import { createTokenExchange } from './token-exchange.js';
import { tokenEndpoint } from './token.endpoint.js';
import { userinfoEndpoint } from './userinfo.endpoint.js';

export interface OAuthOptions {
  config: Pick<
    Config,
    | 'RUNTIME_URL'
    | 'BASE_URL'
    | 'OAUTH_DYNAMIC_REGISTRATION'
    | 'OAUTH_CLIENT_DOCUMENTS'
    | 'OAUTH_APP_SCHEMES'
    | 'OAUTH_ID_JAG_ISSUERS'
    | 'OAUTH_DPOP_ONLY'
    | 'OAUTH_PUSHED_REQUESTS_ONLY'
  >;
  db: Database;
  egress: Egress;
  grants: GrantStore;
  gate: Gate;
  gating: GateOptions;
  limiter: RateLimiter;
  /** Budget of each IP address for requests whose caller is unknown. */
  anonymous: Budget;
  sign: (token: NewToken) => string;
  signIdToken: (token: NewIdToken) => string;
  agentTokenIssuer: AgentTokenIssuer;
  verifyProof: VerifyProof;
  requireHolder: RequireHolder;
  logger: Logger;
}

/** Limit of the clients that an IP address may register. */
const REGISTRATIONS = { name: 'oauth-register', limit: 10, per: 'hour' } as const;
const AUTHORIZATIONS = { name: 'oauth-authorize', limit: 30 } as const;
/** Limit of the requests per minute by which one client from Settings pushes authorization requests or begins device authorizations. */
const PUSHES = { name: 'oauth-par', limit: 300 } as const;

/** Assembles the authorization server of the runtime API. */
export function oauthEndpoints({
  config,
  db,
  egress,
  grants,
  gate,
  gating,
  limiter,
  anonymous,
  sign,
  signIdToken,
  agentTokenIssuer,
  verifyProof,
  requireHolder,
  logger,
}: OAuthOptions): RequestHandler[] {
  const { RUNTIME_URL: runtimeUrl, BASE_URL: baseUrl } = config;
  const { OAUTH_DYNAMIC_REGISTRATION: registration, OAUTH_CLIENT_DOCUMENTS: clientDocuments } = config;
  const { OAUTH_APP_SCHEMES: appSchemes, OAUTH_ID_JAG_ISSUERS: issuers } = config;
  const { OAUTH_PUSHED_REQUESTS_ONLY: pushedOnly, OAUTH_DPOP_ONLY: boundOnly } = config;
  const clients = createClientStore(db);
  const authorizations = createAuthorizationStore(db);
  const findKey = createKeyFinder(db, 'runtime-api');
  const verify = createTokenVerifier({ issuer: runtimeUrl, audience: /./, findKey });
  const findClient = createClientFinder({ clients, egress, limiter, documents: clientDocuments, appSchemes });
  const assertions = createAssertionStore(db);
  const verifyAssertion = createClientAssertionVerifier({
    findKey: createClientKeyFinder({ egress, limiter }),
    assertions,
    runtimeUrl,
  });
  const authenticate = createClientAuthentication({ clients, findClient, verifyAssertion });
  const exchange = createTokenExchange({
    ...{ db, clients, grants, verify, sign, runtimeUrl, agentTokenIssuer },
    targets: createExchangeStore(db),
    verifyAgentToken: createAgentTokenVerifier(runtimeUrl, findKey),
  });
  const idAssertions = issuers.length > 0;
  const jwtBearer = idAssertions
    ? createJwtBearer({
        ...{ clients, grants, assertions, runtimeUrl },
        users: createAssertionUserStore(db),
        verifyIdAssertion: createIdAssertionVerifier({ egress, issuers, runtimeUrl }),
      })
    : undefined;
  const readHint = createHintReader(createIdTokenHintVerifier(runtimeUrl, findKey));
  const beginLimit = createAddressLimit(limiter, AUTHORIZATIONS);
  const countClient = createClientLimit({ limiter, limit: beginLimit, perClient: PUSHES });
  const tokens = { gate, authenticate, grants, verify };
  return [
    metadataEndpoints({ gate, runtimeUrl, registration, clientDocuments, idAssertions, pushedOnly, boundOnly }),
    authorizeEndpoint({
      gate,
      limit: beginLimit,
      runtimeUrl,
      baseUrl,
      findClient,
      authorizations,
      readHint,
      pushedOnly,
      logger,
    }),
    pushedRequestsEndpoint({
      ...{ gate, authenticate, findClient, authorizations, readHint, runtimeUrl, verifyProof },
      countClient,
    }),
    deviceAuthorizationEndpoint({ gate, authenticate, authorizations, countClient, runtimeUrl, baseUrl }),
    tokenEndpoint({
      ...{ gate, authenticate, grants, authorizations, sign, signIdToken, runtimeUrl, exchange, jwtBearer },
      ...{ verifyProof, boundOnly },
      limits: createTokenLimits(limiter, anonymous),
      countPolls: createPollCounter(limiter),
    }),
    userinfoEndpoint({ gating, grants, verify, requireHolder }),
    endSessionEndpoint({ gate, baseUrl }),
    revokeEndpoint(tokens),
    introspectEndpoint({ ...tokens, runtimeUrl }),
    ...(registration
      ? [registerEndpoint({ gate, limit: createAddressLimit(limiter, REGISTRATIONS), clients, appSchemes })]
      : []),
  ];
}
