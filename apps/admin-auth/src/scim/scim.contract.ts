import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { GroupBody, GroupResource } from './scim-groups.js';
import { PatchBody } from './scim-patch.js';
import { MOST_RESULTS } from './scim-query.js';
import { UserBody, UserResource } from './scim-users.js';

/** A value of `startIndex` or `count`; negative values are treated as the minimum (RFC 7644 §3.4.2.4). */
const number = z.coerce.number().pipe(z.int().min(-999_999_999).max(999_999_999));
const names = z.string().max(1_000).optional();

/** Attributes that an answer has, by name: only the named attributes, or all except the named attributes (RFC 7644 §3.9). */
const Selection = z.object({ attributes: names, excludedAttributes: names });
export const ListQuery = z.object({
  /** Up to three conditions `<attribute> eq "<value>"`, joined by `and`. */
  filter: z.string().optional(),
  startIndex: number.default(1).transform((given) => Math.max(1, given)),
  count: number.default(100).transform((given) => Math.min(MOST_RESULTS, Math.max(0, given))),
  ...Selection.shape,
});

/** Attribute names in the body of `.search`, which has the parameters of a list request (RFC 7644 §3.4.3). */
const Names = z.array(z.string().max(200)).max(100).optional();
export const SearchBody = z.object({
  filter: z.string().optional(),
  startIndex: ListQuery.shape.startIndex,
  count: ListQuery.shape.count,
  attributes: Names,
  excludedAttributes: Names,
});

const listOf = (resource: z.ZodType) =>
  z.object({
    schemas: z.array(z.string()),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(resource),
  });
/** A document of RFC 7643 §5 to §7, as written in scim-discovery.ts. */
const Document = z.looseObject({ schemas: z.array(z.string()) });

const common = { tag: 'Provisioning', access: 'provisioning', limit: 'credential' } as const;
const UserId = z.object({ scim_user_id: z.string() });
const GroupId = z.object({ scim_group_id: z.uuid() });
const DocumentId = z.object({ document_id: z.string().max(200) });

const discovery = (operationId: string, path: string, summary: string) =>
  endpoint({
    ...common,
    ...{ operationId, method: 'GET', path: `/scim/v2/${path}`, summary },
    success: { status: 200, description: summary, body: listOf(Document) },
    errors: [],
  });
const discoveryOf = (operationId: string, path: string, summary: string) =>
  endpoint({
    ...common,
    ...{ operationId, method: 'GET', path: `/scim/v2/${path}/{document_id}`, summary },
    params: DocumentId,
    success: { status: 200, description: summary, body: Document },
    errors: [],
  });

export const getConfig = endpoint({
  ...common,
  ...{ operationId: 'getScimServiceProviderConfig', method: 'GET', path: '/scim/v2/ServiceProviderConfig' },
  summary: 'What of SCIM is served',
  success: { status: 200, description: 'The configuration', body: Document },
  errors: [],
});
export const listSchemas = discovery('listScimSchemas', 'Schemas', 'The schemas of users and groups');
export const getSchema = discoveryOf('getScimSchema', 'Schemas', 'The schema of users or groups');
export const listResourceTypes = discovery('listScimResourceTypes', 'ResourceTypes', 'The types of resources');
export const getResourceType = discoveryOf('getScimResourceType', 'ResourceTypes', 'A type of resources');

export const searchAll = endpoint({
  ...common,
  ...{ operationId: 'searchScim', method: 'POST', path: '/scim/v2/.search', grants: 'nothing' },
  summary: 'The users, then the groups of the client; filters by id and externalId',
  body: SearchBody,
  success: { status: 200, description: 'A page of them', body: listOf(z.union([UserResource, GroupResource])) },
  errors: [],
});

const user = { status: 200, description: 'The user', body: UserResource } as const;

export const listUsers = endpoint({
  ...common,
  ...{ operationId: 'listScimUsers', method: 'GET', path: '/scim/v2/Users' },
  summary: 'The users that the client provisions; filters by id, userName, externalId and emails.value',
  query: ListQuery,
  success: { status: 200, description: 'A page of users', body: listOf(UserResource) },
  errors: [],
});
export const searchUsers = endpoint({
  ...common,
  ...{ operationId: 'searchScimUsers', method: 'POST', path: '/scim/v2/Users/.search', grants: 'nothing' },
  summary: 'The users as in their list, with its parameters in the body',
  body: SearchBody,
  success: { status: 200, description: 'A page of users', body: listOf(UserResource) },
  errors: [],
});
export const createUser = endpoint({
  ...common,
  ...{ operationId: 'createScimUser', method: 'POST', path: '/scim/v2/Users', grants: 'account' },
  summary: 'Create an account, or take one over where the issuer may link',
  body: UserBody,
  success: { ...user, status: 201 },
  errors: ['conflict'],
});
export const getUser = endpoint({
  ...common,
  ...{ operationId: 'getScimUser', method: 'GET', path: '/scim/v2/Users/{scim_user_id}' },
  summary: 'A user that the client provisions',
  params: UserId,
  query: Selection,
  success: user,
  errors: [],
});
export const replaceUser = endpoint({
  ...common,
  ...{ operationId: 'replaceScimUser', method: 'PUT', path: '/scim/v2/Users/{scim_user_id}', grants: 'right' },
  summary: 'Replace a user; active: false ends every session and credential',
  params: UserId,
  body: UserBody,
  success: user,
  errors: ['conflict'],
});
export const patchUser = endpoint({
  ...common,
  ...{ operationId: 'patchScimUser', method: 'PATCH', path: '/scim/v2/Users/{scim_user_id}', grants: 'right' },
  summary: 'Change attributes of a user',
  params: UserId,
  body: PatchBody,
  success: user,
  errors: ['conflict'],
});
export const deleteUser = endpoint({
  ...common,
  ...{ operationId: 'deleteScimUser', method: 'DELETE', path: '/scim/v2/Users/{scim_user_id}', grants: 'nothing' },
  summary: 'Deactivate a user for good',
  params: UserId,
  success: { status: 204, description: 'Deactivated' },
  errors: [],
});

const group = { status: 200, description: 'The group', body: GroupResource } as const;

export const listGroups = endpoint({
  ...common,
  ...{ operationId: 'listScimGroups', method: 'GET', path: '/scim/v2/Groups' },
  summary: 'The groups of the client; filters by id, displayName, externalId and members',
  query: ListQuery,
  success: { status: 200, description: 'A page of groups', body: listOf(GroupResource) },
  errors: [],
});
export const searchGroups = endpoint({
  ...common,
  ...{ operationId: 'searchScimGroups', method: 'POST', path: '/scim/v2/Groups/.search', grants: 'nothing' },
  summary: 'The groups as in their list, with its parameters in the body',
  body: SearchBody,
  success: { status: 200, description: 'A page of groups', body: listOf(GroupResource) },
  errors: [],
});
export const createGroup = endpoint({
  ...common,
  ...{ operationId: 'createScimGroup', method: 'POST', path: '/scim/v2/Groups', grants: 'right' },
  summary: 'Create a group; its members get the rights that are mapped to its name',
  body: GroupBody,
  success: { ...group, status: 201 },
  errors: ['conflict'],
});
export const getGroup = endpoint({
  ...common,
  ...{ operationId: 'getScimGroup', method: 'GET', path: '/scim/v2/Groups/{scim_group_id}' },
  summary: 'A group of the client',
  params: GroupId,
  query: Selection,
  success: group,
  errors: [],
});
export const replaceGroup = endpoint({
  ...common,
  ...{ operationId: 'replaceScimGroup', method: 'PUT', path: '/scim/v2/Groups/{scim_group_id}', grants: 'right' },
  summary: 'Replace a group and its members',
  params: GroupId,
  body: GroupBody,
  success: group,
  errors: ['conflict'],
});
export const patchGroup = endpoint({
  ...common,
  ...{ operationId: 'patchScimGroup', method: 'PATCH', path: '/scim/v2/Groups/{scim_group_id}', grants: 'right' },
  summary: 'Change the name or members of a group',
  params: GroupId,
  body: PatchBody,
  success: group,
  errors: ['conflict'],
});
export const deleteGroup = endpoint({
  ...common,
  ...{ operationId: 'deleteScimGroup', method: 'DELETE', path: '/scim/v2/Groups/{scim_group_id}', grants: 'nothing' },
  summary: 'Delete a group; its members lose the rights of its name',
  params: GroupId,
  success: { status: 204, description: 'Deleted' },
  errors: [],
});
