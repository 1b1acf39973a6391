import {
  bearer,
  createAuthenticator,
  createGatewayVerifier,
  createKeyFinder,
  createTokenSigner,
  createTokenVerifier,
  type SigningKey,
} from '@millwright/auth';
import type { SecretBox } from '@millwright/catalog';
import type { Egress } from '@millwright/egress';
import { createAreaRouter, createGate, createServiceApp, serviceVersion, type AreaDeps } from '@millwright/http';
import type { Models } from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import type { Express } from 'express';
import { a2aEndpoints } from './a2a/a2a.endpoints.js';
import type { TaskSignals } from './a2a/task-signals.js';
import type { Config } from './config.js';
import { connectionEndpoints } from './connections/connections.endpoints.js';
import { createRoutes, createRuns } from './endpoints.js';
import { mcpEndpoints } from './mcp/mcp.endpoints.js';
import type { FileStorage } from './files/storage/file-storage.js';
import { createAdminTools } from './mcp/platform/admin-tools.js';
import { createGrantStore } from './oauth/grants.store.js';
import { oauthEndpoints } from './oauth/oauth.endpoints.js';

export interface AppDeps extends AreaDeps {
  config: Pick<
    Config,
    | 'RUNTIME_URL'
    | 'BASE_URL'
    | 'MCP_ALLOWED_ORIGINS'
    | 'TOOL_TIMEOUT_MS'
    | 'OAUTH_DYNAMIC_REGISTRATION'
    | 'OAUTH_CLIENT_DOCUMENTS'
    | 'UPLOAD_MAX_BYTES'
    | 'MAX_IN_FLIGHT'
    | 'TRUSTED_PROXY_HOPS'
  >;
  models: Models;
  /** What to sign with now; the same one always, in tests. */
  signingKey: SigningKey | (() => SigningKey);
  egress: Egress;
  storage: FileStorage;
  validator: SchemaValidator;
  /** Opens the secrets of plugins and upstreams. */
  box: SecretBox;
  /** Tells of what other processes do with tasks. */
  signals: Pick<TaskSignals, 'watch'>;
}

/** What standards describe is named here; the operations are those that contracts describe. */
const DESCRIPTION = [
  'Agents at work. Besides the operations below, these endpoints speak as their standards say:',
  'OAuth 2.0 at /oauth/authorize, /oauth/token, /oauth/revoke, /oauth/introspect and /oauth/register,',
  'with its metadata at /.well-known/oauth-authorization-server and its keys at /.well-known/jwks.json;',
  'MCP at /api/v1/mcp/{server_name}/mcp; A2A at /api/v1/agents/{agent_name}/a2a.',
].join(' ');

/** Area C. */
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
  ...deps
}: AppDeps): Express {
  const runtimeUrl = config.RUNTIME_URL;
  const grants = createGrantStore(db);
  const verifyToken = createTokenVerifier({
    issuer: runtimeUrl,
    audience: runtimeUrl,
    findKey: createKeyFinder(db, 'runtime-api'),
  });
  const verifyGateway = createGatewayVerifier(db, { issuer: config.BASE_URL, area: 'runtime' });
  const authenticate = createAuthenticator(
    [
      {
        name: 'access-token',
        read: bearer,
        verify: async (token) => {
          const claims = await verifyToken(token);
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
  // Spec, "Limits": requests a minute.
  const budgets = {
    anonymous: { name: 'ip', limit: 100 },
    credential: () => ({ name: 'runtime', limit: 1_000 }),
    messages: { name: 'messages', limit: 60 },
  };
  const gating = { authenticate, limiter, budgets, counts, challenge: 'Bearer realm="millwright"' };
  const tokenUrl = `${runtimeUrl}/oauth/token`;
  const shared = {
    ...deps,
    db,
    counts,
    egress,
    runtimeUrl,
    signingKey,
    toolTimeoutMs: config.TOOL_TIMEOUT_MS,
    files: { storage, maxBytes: config.UPLOAD_MAX_BYTES },
  };
  const { contexts, runs } = createRuns(shared);
  const admin = createAdminTools(db, (name) => deps.models.has(name));
  const routes = createRoutes({ ...shared, contexts, runs, admin });
  const area = createAreaRouter({
    ...gating,
    area: 'runtime',
    routes,
    protocols: [
      ...oauthEndpoints({
        config,
        db,
        egress,
        grants,
        gate: createGate(gating),
        sign: createTokenSigner(signingKey),
        logger,
      }),
      ...mcpEndpoints({
        db,
        gating,
        verifyGateway,
        egress,
        box: deps.box,
        runtimeUrl,
        allowedOrigins: [runtimeUrl, config.BASE_URL, ...config.MCP_ALLOWED_ORIGINS],
        routes,
        admin,
        counts,
        logger,
      }),
      ...connectionEndpoints({
        db,
        gate: createGate(gating),
        egress,
        box: deps.box,
        runtimeUrl,
        baseUrl: config.BASE_URL,
        logger,
      }),
      ...a2aEndpoints({
        db,
        gating,
        runtimeUrl,
        models: deps.models,
        contexts,
        runs,
        signals,
        logger,
        work,
      }),
    ],
    protectedPrefix: '/api/v1',
    openApi: {
      path: '/api/v1/openapi.json',
      info: {
        title: 'Millwright runtime API',
        description: DESCRIPTION,
        version: serviceVersion,
        server: runtimeUrl,
        limits: {
          public: '100 a minute per IP address',
          credential: '1000 a minute per client or user',
          messages: '60 a minute per client or user, within the 1000 of all its calls',
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
    maxInFlight: config.MAX_IN_FLIGHT,
    db,
    limiter,
    logger,
    metrics,
    counts,
    work,
  });
  return createServiceApp({ logger, metrics, trustedProxyHops: config.TRUSTED_PROXY_HOPS, handlers: [area] });
}
