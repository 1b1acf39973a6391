import { bearer, createApiKeyVerifier, createAuthenticator, createGatewayVerifier } from '@millwright/auth';
import { createAreaRouter, credentialBelow, createServiceApp, planLimits, type AreaDeps } from '@millwright/http';
import { serviceVersion, type Capacity } from '@millwright/http/process';
import { requestOrigin } from '@millwright/http/protocol';
import type { Express } from 'express';
import type { Config } from './config.js';
import { createRoutes, type RouteDeps } from './endpoints.js';

export interface AppDeps extends AreaDeps, RouteDeps {
  config: Pick<Config, 'BASE_URL' | keyof Capacity | 'TRUSTED_PROXY_HOPS'>;
}

const limits = planLimits('platform');

/** Creates the app that serves the platform API. */
export function createApp({ config, db, limiter, logger, metrics, counts, work, ...deps }: AppDeps): Express {
  const verifyGatewayToken = createGatewayVerifier(db, { issuer: config.BASE_URL, area: 'platform' });
  const area = createAreaRouter({
    area: 'platform',
    routes: createRoutes({ db, ...deps }),
    accessOf: credentialBelow('/api/v1'),
    authenticate: createAuthenticator(
      [
        { name: 'api-key', read: bearer, verify: createApiKeyVerifier(db, requestOrigin) },
        { name: 'gateway-token', read: bearer, verify: verifyGatewayToken },
      ],
      { onInvalid: 'unauthorized' },
    ),
    docsUrl: `${config.BASE_URL}/docs`,
    challenge: 'Bearer realm="millwright"',
    budgets: limits.budgets,
    openApi: {
      path: '/api/v1/openapi.json',
      info: {
        title: 'Millwright platform API',
        description: 'Skills, agents and what they work with: content and MCP servers.',
        version: serviceVersion,
        server: config.BASE_URL,
        limits: limits.phrases,
        security: { type: 'http', scheme: 'bearer', description: 'An API key, or a gateway token' },
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
  return createServiceApp({
    area: 'platform',
    logger,
    metrics,
    trustedProxyHops: config.TRUSTED_PROXY_HOPS,
    handlers: [area],
  });
}
