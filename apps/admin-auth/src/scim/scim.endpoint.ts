import { callerOf, type Project } from '@millwright/auth';
import { decodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { callerLimits, createGate } from '@millwright/http';
import type { Logger } from '@millwright/http/process';
import { requestOrigin } from '@millwright/http/protocol';
import type { RateLimiter } from '@millwright/rate-limit';
import express, { Router, type Request, type RequestHandler } from 'express';
import type { z } from 'zod';
import type { SsoIssuer } from '../sso/sso-file.js';
import { findProvisioner, ownerOf, provisionersOf, type Provisioner } from './scim-auth.js';
import { discoveryDocuments } from './scim-discovery.js';
import { invalid, notFound, sendScimError } from './scim-error.js';
import { createScimGroupStore } from './scim-groups.store.js';
import { GroupBody, patchedGroup, toGroupResource, wantedGroup } from './scim-groups.js';
import { PatchBody } from './scim-patch.js';
import { parseListQuery } from './scim-query.js';
import { createScimUserStore } from './scim-users.store.js';
import { patchedUser, toUserResource, UserBody, wantedUser } from './scim-users.js';

export interface ScimOptions {
  db: Database;
  baseUrl: string;
  limiter: RateLimiter;
  logger: Logger;
  issuers: readonly SsoIssuer[];
  defaultProject: Project;
}

/** One request of a provisioning client. */
interface ScimCall {
  issuer: Provisioner;
  actor: ReturnType<typeof callerOf>['actor'];
  request: Request;
}
interface Answer {
  status?: 200 | 204;
  body?: object;
}

/** A resource that was created. */
interface Created {
  status: 201;
  body: { meta: { location: string } };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TYPE = 'application/scim+json';
const limits = callerLimits({ name: 'scim', limit: 600, per: 'token' });

/** @throws ScimError invalidValue naming the first attribute at fault. */
function parseBody<Schema extends z.ZodType>(schema: Schema, { body }: Request): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.join('.');
  throw invalid(
    path ? `${path} is missing or not valid.` : 'The body must be a JSON object.',
    path ? 'invalidValue' : 'invalidSyntax',
  );
}

function userIdOf({ params }: Request): string {
  const id = decodeId('usr', String(params['id']));
  if (!id) throw notFound();
  return id;
}
function groupIdOf({ params }: Request): string {
  const id = String(params['id']);
  if (!UUID.test(id)) throw notFound();
  return id;
}

/** `/scim/v2`: provisioning of accounts and groups by the issuers with a token (RFC 7643, RFC 7644). Off without any. */
export function scimEndpoints({ db, baseUrl, limiter, logger, issuers, defaultProject }: ScimOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const provisioners = provisionersOf(issuers);
  if (provisioners.length === 0) return router;
  const users = createScimUserStore(db, defaultProject);
  const groups = createScimGroupStore(db);

  async function authenticate(request: Request) {
    const issuer = findProvisioner(provisioners, request.get('authorization'));
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

  const serve =
    (handler: (call: ScimCall) => Promise<Answer | Created>): RequestHandler =>
    async (request, response) => {
      const { principal, issuer } = response.locals.scim ?? {};
      if (!principal || !issuer) throw new AppError('unauthorized');
      const caller = callerOf(principal, requestOrigin(request));
      const actor = { ...caller.actor, origin: { scim: issuer.name } };
      const answer = await handler({ issuer, actor, request });
      const { status = 200, body } = answer;
      if (answer.status === 201) response.set('Location', answer.body.meta.location);
      response.status(status);
      if (body === undefined) response.end();
      else response.type(TYPE).send(JSON.stringify(body));
    };

  const admit: RequestHandler = async (request, response, next) => {
    response.locals.route = '/scim/v2';
    response.set('Cache-Control', 'no-store');
    const principal = await gate(request, response, 'credential', 'credential');
    const issuer = findProvisioner(provisioners, request.get('authorization'));
    if (issuer) response.locals.scim = { principal, issuer };
    next();
  };

  const listOf = (resources: object[], totalResults: number, startIndex = 1): object => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    ...{ totalResults, startIndex, itemsPerPage: resources.length, Resources: resources },
  });
  const user = (row: Parameters<typeof toUserResource>[0]) => toUserResource(row, baseUrl);
  const group = (row: Parameters<typeof toGroupResource>[0]) => toGroupResource(row, baseUrl);

  const { lists, config } = discoveryDocuments(baseUrl);
  const scim = Router({ caseSensitive: true, strict: true });
  scim.get(
    '/ServiceProviderConfig',
    serve(() => Promise.resolve({ body: config })),
  );
  for (const [name, documents] of Object.entries(lists)) {
    scim.get(
      `/${name}`,
      serve(() => Promise.resolve({ body: listOf(documents, documents.length) })),
    );
    scim.get(
      `/${name}/:id`,
      serve(({ request }) => {
        const found = documents.find((document) => 'id' in document && document.id === request.params['id']);
        if (!found) throw notFound();
        return Promise.resolve({ body: found });
      }),
    );
  }

  scim.get(
    '/Users',
    serve(async ({ issuer, request }) => {
      const query = parseListQuery(request.query, ['userName', 'externalId']);
      const { total, users: rows } = await users.list(issuer, query);
      return { body: listOf(rows.map(user), total, query.startIndex) };
    }),
  );
  scim.post(
    '/Users',
    serve(async ({ issuer, actor, request }) => ({
      status: 201,
      body: user(await users.create(issuer, wantedUser(parseBody(UserBody, request)), actor)),
    })),
  );
  scim.get(
    '/Users/:id',
    serve(async ({ issuer, request }) => ({ body: user(await users.read(issuer, userIdOf(request))) })),
  );
  scim.put(
    '/Users/:id',
    serve(async ({ issuer, actor, request }) => {
      const wanted = wantedUser(parseBody(UserBody, request));
      return { body: user(await users.change(issuer, userIdOf(request), () => wanted, actor)) };
    }),
  );
  scim.patch(
    '/Users/:id',
    serve(async ({ issuer, actor, request }) => {
      const patch = parseBody(PatchBody, request);
      return { body: user(await users.change(issuer, userIdOf(request), (now) => patchedUser(now, patch), actor)) };
    }),
  );
  scim.delete(
    '/Users/:id',
    serve(async ({ issuer, actor, request }) => {
      await users.remove(issuer, userIdOf(request), actor);
      return { status: 204 };
    }),
  );

  scim.get(
    '/Groups',
    serve(async ({ issuer, request }) => {
      const query = parseListQuery(request.query, ['displayName', 'externalId']);
      const { total, groups: rows } = await groups.list(issuer, query);
      return { body: listOf(rows.map(group), total, query.startIndex) };
    }),
  );
  scim.post(
    '/Groups',
    serve(async ({ issuer, actor, request }) => ({
      status: 201,
      body: group(await groups.create(issuer, wantedGroup(parseBody(GroupBody, request)), actor)),
    })),
  );
  scim.get(
    '/Groups/:id',
    serve(async ({ issuer, request }) => ({ body: group(await groups.read(issuer, groupIdOf(request))) })),
  );
  scim.put(
    '/Groups/:id',
    serve(async ({ issuer, actor, request }) => {
      const wanted = wantedGroup(parseBody(GroupBody, request));
      return { body: group(await groups.change(issuer, groupIdOf(request), () => wanted, actor)) };
    }),
  );
  scim.patch(
    '/Groups/:id',
    serve(async ({ issuer, actor, request }) => {
      const patch = parseBody(PatchBody, request);
      return { body: group(await groups.change(issuer, groupIdOf(request), (now) => patchedGroup(now, patch), actor)) };
    }),
  );
  scim.delete(
    '/Groups/:id',
    serve(async ({ issuer, actor, request }) => {
      await groups.remove(issuer, groupIdOf(request), actor);
      return { status: 204 };
    }),
  );
  scim.use(() => {
    throw notFound();
  });

  const readJson = express.json({ limit: 65_536, strict: true, type: ['application/json', TYPE] });
  router.use('/scim/v2', admit, readJson, scim, sendScimError);
  return router;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express declares what a response carries in this namespace
  namespace Express {
    interface Locals {
      /** The provisioning client of a request to `/scim/v2`, once its token is known. */
      scim?: { principal: Parameters<typeof callerOf>[0]; issuer: Provisioner };
    }
  }
}
