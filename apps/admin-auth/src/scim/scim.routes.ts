import { callerOf, type Principal } from '@millwright/auth';
import { decodeId, type Database, type Tx } from '@millwright/db';
import { recordDenial, type Actor } from '@millwright/audit';
import { AppError } from '@millwright/errors';
import { route, type Reply, type Route } from '@millwright/http';
import type { Project } from '@millwright/auth';
import type { z } from 'zod';
import { selected, selects, type Selection } from './scim-attributes.js';
import { type Provisioner } from './scim-auth.js';
import { discoveryDocuments } from './scim-discovery.js';
import { notFound } from './scim-error.js';
import { createScimGroupStore, GROUP_FILTERS } from './scim-groups.store.js';
import { patchedGroup, toGroupResource, wantedGroup } from './scim-groups.js';
import { parseFilter } from './scim-query.js';
import { createScimUserStore, USER_FILTERS } from './scim-users.store.js';
import { patchedUser, toUserResource, wantedUser } from './scim-users.js';
import * as contract from './scim.contract.js';

export interface ScimRouteDeps {
  db: Database;
  baseUrl: string;
  defaultProject: Project;
  /** Returns the issuer to which the principal's SCIM token belongs. */
  issuerOf: (principal: Principal) => Provisioner;
}

/** One request of a provisioning client. */
interface ScimCall {
  principal: Principal;
  from: { requestId: string; ip: string };
  params: { scim_user_id?: string; scim_group_id?: string } | undefined;
  commit: (work: (tx: Tx) => Promise<Reply>) => Promise<Reply>;
}

/** @throws AppError not_found when the id is malformed. */
function userIdOf({ params }: { params: { scim_user_id: string } }): string {
  const id = decodeId('usr', params.scim_user_id);
  if (!id) throw notFound();
  return id;
}

const listOf = (resources: readonly object[], totalResults: number, startIndex = 1) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  ...{ totalResults, startIndex, itemsPerPage: resources.length, Resources: resources },
});

/** Filter attributes that users and groups share, for a search over both. */
const COMMON_FILTERS = ['id', 'externalId'];

type Query = z.output<typeof contract.ListQuery>;
const asQuery = ({ attributes, excludedAttributes, ...rest }: z.output<typeof contract.SearchBody>): Query => ({
  ...rest,
  attributes: attributes?.join(','),
  excludedAttributes: excludedAttributes?.join(','),
});

function discoveryRoutes(baseUrl: string): Route[] {
  const { config, schemas, resourceTypes } = discoveryDocuments(baseUrl);
  const list = (documents: readonly object[]) => () => Promise.resolve({ body: listOf(documents, documents.length) });
  const one =
    (documents: readonly { id: string }[]) =>
    ({ params }: { params: { document_id: string } }) => {
      const body = documents.find(({ id }) => id === params.document_id);
      if (!body) return Promise.reject(notFound());
      return Promise.resolve({ body });
    };
  return [
    route(contract.getConfig, () => Promise.resolve({ body: config })),
    route(contract.listSchemas, list(schemas)),
    route(contract.getSchema, one(schemas)),
    route(contract.listResourceTypes, list(resourceTypes)),
    route(contract.getResourceType, one(resourceTypes)),
  ];
}

/** Makes the endpoints by which issuers with a SCIM token provision accounts and groups (RFC 7643, RFC 7644). */
export function scimRoutes({ db, baseUrl, defaultProject, issuerOf }: ScimRouteDeps): Route[] {
  const users = createScimUserStore(db, defaultProject);
  const groups = createScimGroupStore(db);
  const user = (row: Parameters<typeof toUserResource>[0]) => toUserResource(row, baseUrl);
  const group = (row: Parameters<typeof toGroupResource>[0]) => toGroupResource(row, baseUrl);
  const created = (body: { meta: { location: string } }): Reply => ({
    body,
    headers: { Location: body.meta.location },
  });

  /** Runs a change for the calling issuer, with the issuer's owner as actor. */
  const change = (
    { principal, from, params, commit }: ScimCall,
    work: (tx: Tx, issuer: Provisioner, actor: Actor) => Promise<Reply>,
  ) => {
    const issuer = issuerOf(principal);
    const actor = { ...callerOf(principal, from).actor, origin: { scim: issuer.name } };
    return commit((tx) => work(tx, issuer, actor)).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'forbidden') {
        const resource = params?.scim_user_id ?? params?.scim_group_id ?? 'scim';
        const reason = error.fields.map((fault) => `${fault.field} ${fault.reason}`).join('; ');
        await recordDenial(db, { actor, action: 'scim.change', resource }, reason);
      }
      throw error;
    });
  };
  const show = (resource: object, query: Selection): Reply => ({ body: selected(resource, query) });

  async function pageOfUsers(principal: Principal, query: Query): Promise<Reply> {
    const filter = parseFilter(query.filter, USER_FILTERS);
    const { total, users: rows } = await users.list(issuerOf(principal), { ...query, filter });
    const resources = rows.map((row) => selected(user(row), query));
    return { body: listOf(resources, total, query.startIndex) };
  }

  async function pageOfGroups(principal: Principal, query: Query): Promise<Reply> {
    const filter = parseFilter(query.filter, GROUP_FILTERS);
    const wanted = { ...query, filter, withMembers: selects(query, 'members') };
    const { total, groups: rows } = await groups.list(issuerOf(principal), wanted);
    const resources = rows.map((row) => selected(group(row), query));
    return { body: listOf(resources, total, query.startIndex) };
  }

  /** Returns a page of a list that consists of all users, followed by all groups. */
  async function pageOfAll(principal: Principal, { startIndex, count, ...query }: Query): Promise<Reply> {
    const issuer = issuerOf(principal);
    const filter = parseFilter(query.filter, COMMON_FILTERS);
    const first = await users.list(issuer, { filter, startIndex, count });
    const then = await groups.list(issuer, {
      ...{ filter, withMembers: selects(query, 'members') },
      startIndex: Math.max(1, startIndex - first.total),
      count: count - first.users.length,
    });
    const resources = [...first.users.map(user), ...then.groups.map(group)].map((row) => selected(row, query));
    return { body: listOf(resources, first.total + then.total, startIndex) };
  }

  return [
    ...discoveryRoutes(baseUrl),
    route(contract.searchAll, ({ principal, body }) => pageOfAll(principal, asQuery(body))),
    route(contract.listUsers, ({ principal, query }) => pageOfUsers(principal, query)),
    route(contract.searchUsers, ({ principal, body }) => pageOfUsers(principal, asQuery(body))),
    route(contract.createUser, (call) =>
      change(call, async (tx, issuer, actor) =>
        created(user(await users.create(tx, issuer, wantedUser(call.body), actor))),
      ),
    ),
    route(contract.getUser, async (call) =>
      show(user(await users.find(issuerOf(call.principal), userIdOf(call))), call.query),
    ),
    route(contract.replaceUser, (call) =>
      change(call, async (tx, issuer, actor) => ({
        body: user(await users.change(tx, issuer, userIdOf(call), () => wantedUser(call.body), actor)),
      })),
    ),
    route(contract.patchUser, (call) =>
      change(call, async (tx, issuer, actor) => {
        const patch = (now: Parameters<typeof patchedUser>[0]) => patchedUser(now, call.body.Operations);
        return { body: user(await users.change(tx, issuer, userIdOf(call), patch, actor)) };
      }),
    ),
    route(contract.deleteUser, (call) =>
      change(call, async (tx, issuer, actor) => {
        await users.remove(tx, issuer, userIdOf(call), actor);
        return {};
      }),
    ),
    route(contract.listGroups, ({ principal, query }) => pageOfGroups(principal, query)),
    route(contract.searchGroups, ({ principal, body }) => pageOfGroups(principal, asQuery(body))),
    route(contract.createGroup, (call) =>
      change(call, async (tx, issuer, actor) =>
        created(group(await groups.create(tx, issuer, wantedGroup(call.body), actor))),
      ),
    ),
    route(contract.getGroup, async ({ principal, params, query }) =>
      show(group(await groups.find(issuerOf(principal), params.scim_group_id)), query),
    ),
    route(contract.replaceGroup, (call) =>
      change(call, async (tx, issuer, actor) => ({
        body: group(await groups.change(tx, issuer, call.params.scim_group_id, () => wantedGroup(call.body), actor)),
      })),
    ),
    route(contract.patchGroup, (call) =>
      change(call, async (tx, issuer, actor) => {
        const patch = (now: Parameters<typeof patchedGroup>[0]) => patchedGroup(now, call.body.Operations);
        return { body: group(await groups.change(tx, issuer, call.params.scim_group_id, patch, actor)) };
      }),
    ),
    route(contract.deleteGroup, (call) =>
      change(call, async (tx, issuer, actor) => {
        await groups.remove(tx, issuer, call.params.scim_group_id, actor);
        return {};
      }),
    ),
  ];
}
