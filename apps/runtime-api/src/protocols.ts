import { createTokenSigner, type createApiKeyVerifier, type Principal } from '@millwright/auth';
import { createIdTokenSigner } from '@millwright/auth/id-tokens';
import type { RequireHolder, VerifyProof } from '@millwright/auth/dpop';
import type { Egress } from '@millwright/egress';
import { createGate, type Budgets, type GateOptions } from '@millwright/http';
import type { Logger, Work } from '@millwright/http/process';
import type { RequestHandler } from 'express';
import { a2aEndpoints } from './a2a/assemble-a2a.js';
import type { Config } from './config.js';
import { connectionEndpoints } from './connections/assemble-connections.js';
import type { ServiceDeps, Services } from './endpoints.js';
import type { SessionChanges } from '@millwright/mcp/client-sessions';
import { mcpEndpoints } from './mcp/assemble-mcp.js';
import type { GrantStore } from './oauth/grants.store.js';
import { oauthEndpoints } from './oauth/assemble-oauth.js';
import { postEndpoint } from './triggers/post.endpoint.js';

export interface ProtocolDeps extends Omit<ServiceDeps, 'egress'>, Services {
  config: Pick<
    Config,
    | 'RUNTIME_URL'
    | 'BASE_URL'
    | 'MCP_ALLOWED_ORIGINS'
    | 'MCP_TRUSTED_ISSUERS'
    | 'OAUTH_DYNAMIC_REGISTRATION'
    | 'OAUTH_CLIENT_DOCUMENTS'
    | 'OAUTH_DPOP_ONLY'
    | 'OAUTH_PUSHED_REQUESTS_ONLY'
    | 'OAUTH_APP_SCHEMES'
    | 'OAUTH_ID_JAG_ISSUERS'
  >;
  egress: Egress;
  gating: GateOptions & { budgets: Required<Budgets> };
  grants: GrantStore;
  /** Verifies a token that admin-auth issued for the runtime API. Returns `undefined` for any other token. */
  verifyGateway: (token: string) => Promise<Principal | undefined>;
  verifyKey: ReturnType<typeof createApiKeyVerifier>;
  /** Verifies that a client holds its key. */
  verifyProof: VerifyProof;
  requireHolder: RequireHolder;
  sessionChanges: Pick<SessionChanges, 'until'>;
  logger: Logger;
  work?: Work | undefined;
}

/** Endpoints that follow a standard instead of a contract: OAuth, MCP, account connections, A2A and posts to triggers. */
export function createProtocols({ config, gating, grants, signingKey, ...deps }: ProtocolDeps): RequestHandler[] {
  const { RUNTIME_URL: runtimeUrl, BASE_URL: baseUrl } = config;
  const gate = createGate(gating);
  const onConnected = () => deps.runService.lookForConnections();
  const allowedOrigins = [runtimeUrl, baseUrl, ...config.MCP_ALLOWED_ORIGINS];
  return [
    ...oauthEndpoints({
      ...{ ...deps, config, grants, gate, gating, limiter: gating.limiter },
      sign: createTokenSigner(signingKey),
      signIdToken: createIdTokenSigner(signingKey),
      anonymous: gating.budgets.anonymous,
    }),
    ...mcpEndpoints({ ...deps, gating, allowedOrigins }),
    ...connectionEndpoints({ ...deps, gate, baseUrl, trustedIssuers: config.MCP_TRUSTED_ISSUERS, onConnected }),
    ...a2aEndpoints({ ...deps, gating }),
    postEndpoint({ ...deps, limiter: gating.limiter, runner: deps.triggerRunner }),
  ];
}
