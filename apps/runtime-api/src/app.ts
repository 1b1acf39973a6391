import {
  accessToken,
  bearer,
  createApiKeyVerifier,
  createAuthenticator,
  createGatewayVerifier,
  createTokenVerifier,
} from '@millwright/auth';
import { createAgentTokenSigner } from '@millwright/auth/agent-tokens';
import { createHolderCheck, DPOP_CHALLENGE } from '@millwright/auth/dpop';
import { createSpending } from '@millwright/budgets';
import { createKeyFinder, type SigningKey } from '@millwright/auth/signing-keys';
import type { SecretBox } from '@millwright/secrets';
import type { Egress } from '@millwright/egress';
import type { FileStorage } from '@millwright/files';
import { createAreaRouter, createServiceApp, credentialBelow, messageLimits, type AreaDeps } from '@millwright/http';
import { serviceVersion, type Capacity } from '@millwright/http/process';
import { requestOrigin } from '@millwright/http/protocol';
import { createMcpServers } from '@millwright/mcp';
import type { ModelRegistry, ProjectModels } from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import type { Express } from 'express';
import type { Config } from './config.js';
import { createRoutes, createServices } from './endpoints.js';
import type { ExtractionBudget } from '@millwright/documents';
import { authorizeErrorPage } from './oauth/error-page.js';
import { createGrantStore } from './oauth/grants.store.js';
import { createProofNonces, createRuntimeProofVerifier } from './oauth/proofs.js';
import type { RunSignals } from '@millwright/runs';
import type { SessionChanges } from '@millwright/mcp/client-sessions';
import { createRuntimeKeyVerifier, isForKeys } from './api-keys.js';
import { createProtocols } from './protocols.js';
import type { RunService } from './runs/runs.service.js';

export interface AppDeps extends AreaDeps {
  config: Pick<
    Config,
    | 'RUNTIME_URL'
    | 'BASE_URL'
    | 'MCP_ALLOWED_ORIGINS'
    | 'MCP_MAX_MESSAGE_BYTES'
    | 'MCP_TRUSTED_ISSUERS'
    | 'AGENTS_PUBLISHED_BY_DEFAULT'
    | 'TOOL_TIMEOUT_MS'
    | 'UNMARKED_TOOLS'
    | 'APPROVAL_HOURS'
    | 'RUNS_AT_ONCE'
    | 'PROJECT_RUNS_AT_ONCE'
    | 'AGENT_CALL_DEPTH'
    | 'OAUTH_DYNAMIC_REGISTRATION'
    | 'OAUTH_CLIENT_DOCUMENTS'
    | 'OAUTH_DPOP_NONCES'
    | 'OAUTH_DPOP_ONLY'
    | 'OAUTH_PUSHED_REQUESTS_ONLY'
    | 'OAUTH_APP_SCHEMES'
    | 'OAUTH_ID_JAG_ISSUERS'
    | 'OAUTH_GRANT_MAX_DAYS'
    | 'UPLOAD_MAX_BYTES'
    | keyof Capacity
    | 'TRUSTED_PROXY_HOPS'
  >;
  models: ProjectModels & Pick<ModelRegistry, 'requireModel'>;
  /** The signing key, or a function that returns the current one. Tests pass a fixed key. */
  signingKey: SigningKey | (() => SigningKey);
  egress: Egress;
  storage: FileStorage;
  validator: SchemaValidator;
  /** Decrypts the secrets of plugins and MCP servers. */
  secretBox: SecretBox;
  /** Reports runs that other processes have changed. */
  signals: Pick<RunSignals, 'watch' | 'watchQueue'>;
  /** Reports MCP sessions that other processes have changed. */
  sessionChanges: Pick<SessionChanges, 'until'>;
  /** Limits for reading the text of a document that is used as knowledge. Tests also pass the worker that they have built. */
  extraction?: ExtractionBudget;
  /** Aborts when the process is about to end. Streams then end, and their clients can continue them at another process. */
  draining?: AbortSignal;
}

/** Description in the OpenAPI document. It names the endpoints that follow standards, because contracts describe only the other operations. */
const DESCRIPTION = [
  'Agents at work. Besides the operations below, these endpoints speak as their standards say:',
  'OAuth 2.0 and OpenID Connect at /oauth/authorize, /oauth/par, /oauth/device_authorization, /oauth/token, /oauth/userinfo, /oauth/end_session, /oauth/revoke,',
  '/oauth/introspect and /oauth/register, with the metadata at /.well-known/oauth-authorization-server and /.well-known/openid-configuration,',
  'and the keys at /.well-known/jwks.json;',
  'MCP at /api/v1/mcp/{server_name}/mcp; A2A at /api/v1/agents/{agent_name}/a2a;',
  'Standard Webhooks at the address of a trigger, /api/v1/triggers/{address}.',
].join(' ');

const limits = messageLimits({ name: 'runtime', limit: 1_000, per: 'client, key or user' }, 60);

/** The runtime API, with the worker that executes runs in this process. */
export interface Runtime {
  app: Express;
  /** `start` begins to fire triggers and to take runs that no process executes. `close` releases the runs of this process. */
  runs: Pick<RunService, 'start' | 'close'>;
  /** Reloads budgets and prices. Called for the notification `SPENDING`. */
  onSpending: () => void;
}

/** Serves the runtime API. */
export function createApp({
  config,
  db,
  limiter,
  logger,
  metrics,
  counts,
  work,
  signingKey,
  storage,
  egress,
  signals,
  sessionChanges,
  ...deps
}: AppDeps): Runtime {
  const runtimeUrl = config.RUNTIME_URL;
  const grants = createGrantStore(db, { maxDays: config.OAUTH_GRANT_MAX_DAYS });
  const verifyToken = createTokenVerifier({
    issuer: runtimeUrl,
    audience: runtimeUrl,
    findKey: createKeyFinder(db, 'runtime-api'),
  });
  const verifyGateway = createGatewayVerifier(db, { issuer: config.BASE_URL, area: 'runtime' });
  const nonces = config.OAUTH_DPOP_NONCES ? createProofNonces(deps.secretBox) : undefined;
  const verifyProof = createRuntimeProofVerifier(runtimeUrl, limiter, nonces);
  const requireHolder = createHolderCheck(verifyProof, { boundOnly: config.OAUTH_DPOP_ONLY });
  const verifyKey = createRuntimeKeyVerifier(createApiKeyVerifier(db, requestOrigin));
  const authenticate = createAuthenticator(
    [
      { name: 'api-key', read: bearer, verify: verifyKey },
      {
        name: 'access-token',
        read: accessToken,
        verify: async (token, request) => {
          const claims = await verifyToken(token);
          if (claims) await requireHolder(claims, token, request);
          return claims && grants.findPrincipal(claims);
        },
      },
      {
        name: 'gateway-token',
        read: bearer,
        verify: verifyGateway,
      },
    ],
    { onInvalid: 'unauthorized' },
  );
  const gating = {
    db,
    authenticate,
    limiter,
    budgets: limits.budgets,
    counts,
    challenge: `Bearer realm="millwright", ${DPOP_CHALLENGE}`,
  };
  const tokenUrl = `${runtimeUrl}/oauth/token`;
  const agentTokenIssuer = { issuer: runtimeUrl, sign: createAgentTokenSigner(signingKey) };
  const servers = createMcpServers({
    db,
    agentTokens: agentTokenIssuer,
    egress,
    secrets: deps.secretBox,
    maxMessageBytes: config.MCP_MAX_MESSAGE_BYTES,
  });
  const spending = createSpending({ db, models: deps.models });
  const shared = {
    ...deps,
    spending,
    servers,
    agentTokenIssuer,
    db,
    limiter,
    counts,
    egress,
    runtimeUrl,
    signingKey,
    toolTimeoutMs: config.TOOL_TIMEOUT_MS,
    unmarkedTools: config.UNMARKED_TOOLS,
    approvalHours: config.APPROVAL_HOURS,
    baseUrl: config.BASE_URL,
    publishedByDefault: config.AGENTS_PUBLISHED_BY_DEFAULT,
    files: { storage, maxBytes: config.UPLOAD_MAX_BYTES },
    signals,
    logger,
    work,
    runLimits: {
      process: config.RUNS_AT_ONCE,
      project: config.PROJECT_RUNS_AT_ONCE,
      depth: config.AGENT_CALL_DEPTH,
    },
  };
  const services = createServices(shared);
  const area = createAreaRouter({
    ...gating,
    area: 'runtime',
    routes: createRoutes({ ...shared, ...services }),
    protocols: createProtocols({
      ...shared,
      ...services,
      config,
      gating,
      grants,
      verifyGateway,
      verifyKey,
      verifyProof,
      requireHolder,
      sessionChanges,
    }),
    accessOf: credentialBelow('/api/v1'),
    docsUrl: `${config.BASE_URL}/docs`,
    errorPage: authorizeErrorPage,
    openApi: {
      path: '/api/v1/openapi.json',
      info: {
        title: 'Millwright runtime API',
        description: DESCRIPTION,
        version: serviceVersion,
        server: runtimeUrl,
        limits: limits.phrases,
        alternative: {
          name: 'apiKey',
          scheme: { type: 'http', scheme: 'bearer', description: 'An API key' },
          accepts: isForKeys,
        },
        security: {
          type: 'oauth2',
          flows: {
            clientCredentials: { tokenUrl, refreshUrl: tokenUrl, scopes: {} },
            authorizationCode: {
              authorizationUrl: `${runtimeUrl}/oauth/authorize`,
              tokenUrl,
              refreshUrl: tokenUrl,
              scopes: {},
            },
          },
        },
      },
    },
    capacity: config,
    db,
    limiter,
    logger,
    metrics,
    counts,
    work,
  });
  const app = createServiceApp({
    area: 'runtime',
    logger,
    metrics,
    trustedProxyHops: config.TRUSTED_PROXY_HOPS,
    handlers: [area],
  });
  const { runService, triggerRunner, pushSender, approvals, indexer, embedder, sourceFetcher } = services;
  const runs: Runtime['runs'] = {
    start: () => {
      runService.start();
      triggerRunner.start();
      pushSender.start();
      approvals.start();
      indexer.start();
      embedder.start();
      sourceFetcher.start();
    },
    close: async () => {
      triggerRunner.close();
      pushSender.close();
      await Promise.all([approvals.close(), indexer.close(), embedder.close(), sourceFetcher.close()]);
      await runService.close();
    },
  };
  const onSpending = () => {
    spending.refresh();
    runService.lookForBudgets();
  };
  return { app, runs, onSpending };
}
