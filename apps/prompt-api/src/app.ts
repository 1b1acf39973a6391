import { bearer, createApiKeyVerifier, createAuthenticator, createGatewayVerifier, header } from '@millwright/auth';
import { createAreaRouter, createServiceApp, serviceVersion, type AreaDeps } from '@millwright/http';
import type { Models } from '@millwright/models';
import type { Express } from 'express';
import type { Config } from './config.js';
import { createRoutes } from './endpoints.js';
import type { SchemaValidator } from '@millwright/schemas';

export interface AppDeps extends AreaDeps {
  config: Pick<Config, 'BASE_URL' | 'PROMPT_API_URL' | 'MAX_IN_FLIGHT' | 'TRUSTED_PROXY_HOPS'>;
  models: Models;
  validator: SchemaValidator;
}

/** Requests a minute, by the key's plan (decisions §1, "D limits"). */
const PLAN_LIMITS = { standard: 100, professional: 500 } as const;

/** Area D. */
export function createApp({ config, db, limiter, logger, metrics, work, counts, models, validator }: AppDeps): Express {
  const verify = createApiKeyVerifier(db);
  const verifyGatewayToken = createGatewayVerifier(db, { issuer: config.BASE_URL, area: 'prompt' });
  const area = createAreaRouter({
    area: 'prompt',
    routes: createRoutes(db, models, validator),
    protectedPrefix: '/v1',
    authenticate: createAuthenticator(
      [
        { name: 'api-key-header', read: header('api-key'), verify },
        { name: 'api-key-bearer', read: bearer, verify },
        { name: 'gateway-token-header', read: header('api-key'), verify: verifyGatewayToken },
        { name: 'gateway-token-bearer', read: bearer, verify: verifyGatewayToken },
      ],
      // Clients of this API report 403 as a wrong key (decisions §5).
      { onInvalid: 'forbidden' },
    ),
    challenge: 'ApiKey realm="millwright"',
    budgets: {
      anonymous: { name: 'ip', limit: 100 },
      credential: ({ credential }) => ({ name: 'prompt', limit: PLAN_LIMITS[credential.plan] }),
    },
    openApi: {
      path: '/v1/openapi.json',
      info: {
        title: 'Millwright prompt API',
        description: 'Prompts, runs, conversations, artifacts and blocks.',
        version: serviceVersion,
        server: config.PROMPT_API_URL,
        limits: {
          public: '100 a minute per IP address',
          credential: '100 a minute per key of the standard plan, 500 of the professional plan',
        },
        security: { type: 'apiKey', in: 'header', name: 'api-key' },
      },
    },
    maxInFlight: config.MAX_IN_FLIGHT,
    db,
    limiter,
    logger,
    metrics,
    work,
    counts,
  });
  return createServiceApp({ logger, metrics, trustedProxyHops: config.TRUSTED_PROXY_HOPS, handlers: [area] });
}
