import type { Principal, Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError, renderers } from '@millwright/errors';
import { callerLimits, createGate, serveRoutes, type ErrorPage, type OpenApiPart } from '@millwright/http';
import type { Logger } from '@millwright/http/process';
import type { RateLimiter } from '@millwright/rate-limit';
import { Router } from 'express';
import type { SsoIssuer } from '../sso/sso-file.js';
import { credentialIdOf, findProvisioner, ownerOf, provisionersOf, type Provisioner } from './scim-auth.js';
import { scimRoutes } from './scim.routes.js';

export interface ScimOptions {
  db: Database;
  baseUrl: string;
  limiter: RateLimiter;
  logger: Logger;
  issuers: readonly SsoIssuer[];
  defaultProject: Project;
}

const limits = callerLimits({ name: 'scim', limit: 600, per: 'issuer' });
const BASE = '/scim/v2';

/**
 * Creates the endpoints of `/scim/v2` and their part of the service's OpenAPI document. When no issuer provisions accounts, every token is
 * refused.
 */
export function createScimArea({ db, baseUrl, limiter, logger, issuers, defaultProject }: ScimOptions) {
  const provisioners = provisionersOf(issuers);
  const byCredential = new Map(provisioners.map((issuer) => [credentialIdOf(issuer), issuer]));

  function issuerOf({ credential }: Principal): Provisioner {
    const issuer = byCredential.get(credential.id);
    if (!issuer) throw new AppError('unauthorized');
    return issuer;
  }

  async function authenticate(request: { get: (name: 'authorization') => string | undefined }) {
    const header = request.get('authorization');
    if (header === undefined) return undefined;
    const issuer = findProvisioner(provisioners, header);
    if (!issuer) throw new AppError('unauthorized');
    const owner = await ownerOf(db, issuer);
    if (owner) return owner;
    logger.error(
      { event: 'scim.owner', issuer: issuer.name },
      'the owner of SCIM is not an active admin: provisioning stands still',
    );
    throw new AppError('forbidden');
  }
  const gate = createGate({ db, authenticate, challenge: 'Bearer realm="scim"', budgets: limits.budgets, limiter });
  const routes = scimRoutes({ db, baseUrl, defaultProject, issuerOf });

  const router = Router({ caseSensitive: true, strict: true });
  router.use(BASE, (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  serveRoutes(router, { area: 'scim', routes, db, gate });
  router.use(BASE, async (request, response) => {
    response.locals.route = BASE;
    await gate(request, response, 'credential', 'provisioning');
    throw new AppError('endpoint_not_found');
  });

  const part: OpenApiPart = {
    area: 'scim',
    contracts: routes.map(({ contract }) => contract),
    limits: limits.phrases,
    security: {
      name: 'provisioning',
      scheme: { type: 'http', scheme: 'bearer', description: "The token of an issuer's SCIM client: docs/sso.md" },
    },
  };
  return { router, part };
}

/** Renders failures below `/scim/v2` in SCIM's error form. */
export const scimErrors: ErrorPage = (failure, { path }, response) => {
  if (path !== BASE && !path.startsWith(`${BASE}/`)) return false;
  const { status, body, headers } = renderers.scim(failure);
  response
    .set(headers ?? {})
    .status(status)
    .json(body);
  return true;
};
