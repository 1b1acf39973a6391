import { bearer, createApiKeyVerifier, createAuthenticator, createGatewayVerifier } from '@millwright/auth';
import { createAreaRouter, createServiceApp, serviceVersion, type AreaDeps } from '@millwright/http';
import type { Express } from 'express';
import type { Config } from './config.js';
import { createRoutes, type RouteDeps } from './endpoints.js';

export interface AppDeps extends AreaDeps, RouteDeps {
  config: Pick<Config, 'BASE_URL' | 'MAX_IN_FLIGHT' | 'TRUSTED_PROXY_HOPS'>;
}

/** Requests a minute, by the key's plan (spec, "Limits"). */
const PLAN_LIMITS = { standard: 100, professional: 500 } as const;

/** Area B. */
export function createApp({ config, db, limiter, logger, metrics, counts, work, ...deps }: AppDeps): Express {
  const verifyGatewayToken = createGatewayVerifier(db, { issuer: config.BASE_URL, area: 'platform' });
  const area = createAreaRouter({
    area: 'platform',
    routes: createRoutes({ db, ...deps }),
    protectedPrefix: '/api/v1',
    authenticate: createAuthenticator(
      [
        { name: 'api-key', read: bearer, verify: createApiKeyVerifier(db) },
        { name: 'gateway-token', read: bearer, verify: verifyGatewayToken },
      ],
      { onInvalid: 'unauthorized' },
    ),
    challenge: 'Bearer realm="millwright"',
    budgets: {
      anonymous: { name: 'ip', limit: 100 },
      credential: ({ credential }) => ({ name: 'platform', limit: PLAN_LIMITS[credential.plan] }),
    },
    openApi: {
      path: '/api/v1/openapi.json',
      info: {
        title: 'Millwright platform API',
        description: 'Skills, agents and what they work with: content and MCP servers.',
        version: serviceVersion,
        server: config.BASE_URL,
        limits: {
          public: '100 a minute per IP address',
          credential: '100 a minute per key of the standard plan, 500 of the professional plan',
        },
        security: { type: 'http', scheme: 'bearer', description: 'An API key, or a gateway token' },
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
