import { readJwks } from '@millwright/auth';
import { createAreaRouter, createGate, createServiceApp, route, serviceVersion, type AreaDeps } from '@millwright/http';
import { Router, type Express } from 'express';
import type { Config } from './config.js';
import { getJwks } from './keys/jwks.contract.js';
import { loginPage } from './pages/login.page.js';
import { requireSession } from './pages/protection.js';

export interface AppDeps extends AreaDeps {
  config: Pick<Config, 'BASE_URL' | 'RUNTIME_URL' | 'PROMPT_API_URL' | 'MAX_IN_FLIGHT' | 'TRUSTED_PROXY_HOPS'>;
}

/** Area A. */
export function createApp({ config, db, limiter, logger, metrics }: AppDeps): Express {
  const gating = {
    authenticate: () => Promise.resolve(undefined),
    limiter,
    challenge: 'Cookie realm="millwright"',
    // Decisions §1, "Rate-limit headers".
    budgets: { anonymous: { name: 'ip', limit: 100 }, credential: () => ({ name: 'admin', limit: 300 }) },
  };
  const pages = Router({ caseSensitive: true, strict: true });
  pages.get('/admin/login', loginPage(config));
  pages.all(/^\/(admin|bridge-auth)(\/(?!\.well-known\/|openapi\.json$).*)?$/, requireSession(createGate(gating)));

  const area = createAreaRouter({
    ...gating,
    area: 'admin',
    protocols: [pages],
    routes: [route(getJwks, async () => ({ body: await readJwks(db, 'admin-auth') }))],
    protectedPrefix: '/admin/api',
    openApi: {
      path: '/admin/openapi.json',
      info: {
        title: 'Millwright administration',
        description: 'Sign-in, sessions and the trail.',
        version: serviceVersion,
        server: config.BASE_URL,
        security: { type: 'apiKey', in: 'cookie', name: 'access_token' },
      },
    },
    maxInFlight: config.MAX_IN_FLIGHT,
    db,
    logger,
    metrics,
  });
  return createServiceApp({ logger, metrics, trustedProxyHops: config.TRUSTED_PROXY_HOPS, handlers: [area] });
}
