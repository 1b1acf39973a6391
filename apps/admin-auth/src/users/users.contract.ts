import { ACCOUNT_ROLES } from '@millwright/auth';
import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { pageNumber, pageSize, searchText, sortDirection } from '@millwright/records';
import { z } from 'zod';
import { Consent } from '../consent/consent.contract.js';
import { Passkey } from '../passkeys/passkeys.contract.js';

const Role = z.enum(ACCOUNT_ROLES);
const Name = z.string().trim().min(1).max(200);
const UserId = z.object({ user_id: z.string() });
const reason = z.string().trim().min(1).max(500).optional();
const Reason = z.strictObject({ reason });

const UserFields = {
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  platform_admin: z.boolean(),
  project: ProjectId,
  status: z.enum(['active', 'inactive']),
  self_registered: z.boolean(),
  passkeys: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  last_seen_at: z.string().nullable(),
  deleted_at: z.string().nullable(),
};
export const User = z.object(UserFields);

const Key = z.object({
  id: z.string(),
  kind: z.enum(['api_key', 'pat']),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  plan: z.string(),
  project: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  successor_id: z.string().nullable(),
});

const Client = z.object({
  client_id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  scopes: z.array(z.string()),
  project: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});

const UserSession = z.object({
  id: z.string(),
  method: z.string(),
  ip: z.string(),
  user_agent: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  current: z.boolean(),
});

const Device = z.object({
  id: z.string(),
  device_name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  expires_at: z.string(),
  revoked_at: z.string().nullable(),
});

export const UserDetail = z.object({
  ...UserFields,
  sessions: z.array(UserSession),
  keys: z.array(Key),
  clients: z.array(Client),
  devices: z.array(Device),
  /** Consents of the account to applications. */
  consents: z.array(Consent),
});

export const ListQuery = z.object({
  page: pageNumber,
  per_page: pageSize,
  sort: z.enum(['created_at', 'name', 'email']).default('created_at'),
  order: sortDirection,
  /** Text that the name or the email must contain. */
  search: searchText,
  status: z.enum(['active', 'inactive']).optional(),
  role: Role.optional(),
  project: ProjectId.optional(),
});
export type ListQuery = z.output<typeof ListQuery>;

/** Common part of the contracts. Admins reach every account, project admins the users of their own project. */
const people = { tag: 'People', access: { role: ['admin', 'project_admin'] }, limit: 'credential' } as const;
/**
 * Common part of changes that grant or remove access. They require a recent proof, because an unlocked screen or a stolen cookie must not
 * suffice.
 */
const power = { ...people, access: { ...people.access, fresh: true } } as const;
/** Fields of contracts whose change creates a way to sign in, or removes it permanently. Only admins may make such a change. */
const forAdmins = { ...people, access: { role: 'admin', fresh: true } } as const;

export const listUsers = endpoint({
  ...people,
  operationId: 'listUsers',
  method: 'GET',
  path: '/admin/api/users',
  summary: 'Everyone who has an account',
  query: ListQuery,
  success: {
    status: 200,
    description: 'A page of accounts',
    body: z.object({
      items: z.array(User),
      total: z.int().meta({ description: 'At most 10,000: more are shown without being counted' }),
      page: z.int(),
      per_page: z.int(),
    }),
  },
  errors: [],
});

export const createUser = endpoint({
  ...power,
  operationId: 'createUser',
  action: 'user.create',
  grants: 'account',
  method: 'POST',
  path: '/admin/api/users',
  summary: 'Create an account, which its setup link completes',
  body: z.strictObject({
    name: Name,
    email: z.string().max(254),
    role: Role.default('user'),
    /** Project of the account. Default: `Core`; for a project admin, their own project. */
    project: ProjectId.optional(),
  }),
  success: {
    status: 201,
    description: 'The account. `setup_url` enrols its first passkey within 24 hours, once.',
    body: z.object({ ...UserFields, setup_url: z.string(), setup_expires_at: z.string() }),
  },
  errors: ['conflict'],
});

export const getUser = endpoint({
  ...people,
  operationId: 'getUser',
  method: 'GET',
  path: '/admin/api/users/{user_id}',
  summary: 'An account with what it is signed in with and acts by',
  params: UserId,
  success: { status: 200, description: 'The account; the newest 100 of each', body: UserDetail },
  errors: ['not_found'],
});

export const updateUser = endpoint({
  ...power,
  operationId: 'updateUser',
  action: 'user.update',
  grants: 'right',
  method: 'PATCH',
  path: '/admin/api/users/{user_id}',
  summary: 'Change name, role or project; a project admin changes the name',
  params: UserId,
  body: z.strictObject({ name: Name.optional(), role: Role.optional(), project: ProjectId.optional() }),
  success: { status: 200, description: 'The account; it counts from its next request on', body: User },
  errors: ['not_found', 'conflict', 'precondition_failed'],
});

export const changeEmail = endpoint({
  ...people,
  operationId: 'changeUserEmail',
  grants: 'right',
  access: { role: 'platform_admin', fresh: true },
  action: 'user.update',
  method: 'PUT',
  path: '/admin/api/users/{user_id}/email',
  summary: 'Give an account another address',
  params: UserId,
  body: z.strictObject({ email: z.string().max(254) }),
  success: {
    status: 200,
    description:
      'The account. Its sessions, recovery links and setup links have ended; the former address gets a message, and recovery by mail waits for 24 hours.',
    body: User,
  },
  errors: ['not_found', 'conflict', 'precondition_failed'],
});

export const disableUser = endpoint({
  ...power,
  operationId: 'disableUser',
  action: 'user.disable',
  grants: 'nothing',
  method: 'POST',
  path: '/admin/api/users/{user_id}/disable',
  summary: 'Shut an account out, with all its credentials revoked',
  params: UserId,
  body: Reason,
  bodyOptional: true,
  success: { status: 200, description: 'The account', body: User },
  errors: ['not_found', 'conflict', 'precondition_failed'],
});

export const enableUser = endpoint({
  ...power,
  operationId: 'enableUser',
  action: 'user.enable',
  grants: 'right',
  method: 'POST',
  path: '/admin/api/users/{user_id}/enable',
  summary: 'Let a disabled account in again',
  params: UserId,
  success: { status: 200, description: 'The account; what was revoked stays so', body: User },
  errors: ['not_found', 'conflict', 'precondition_failed'],
});

export const revokeUser = endpoint({
  ...power,
  operationId: 'revokeUserCredentials',
  action: 'user.revoke_credentials',
  grants: 'nothing',
  method: 'POST',
  path: '/admin/api/users/{user_id}/revoke',
  summary: 'End every session, key, token, device and code of an account',
  params: UserId,
  body: z.strictObject({
    reason,
    /** Whether all passkeys are removed too. The user then needs a new setup link for the next sign-in. */
    passkeys: z.boolean().optional(),
  }),
  bodyOptional: true,
  success: {
    status: 200,
    description: 'How many of each were live',
    body: z.object({ revoked: z.record(z.string(), z.int()) }),
  },
  errors: ['not_found', 'precondition_failed'],
});

export const listUserPasskeys = endpoint({
  ...people,
  operationId: 'listUserPasskeys',
  method: 'GET',
  path: '/admin/api/users/{user_id}/passkeys',
  summary: 'Passkeys of an account',
  params: UserId,
  success: { status: 200, description: 'Oldest first', body: z.object({ items: z.array(Passkey) }) },
  errors: ['not_found'],
});

export const removeUserPasskey = endpoint({
  ...forAdmins,
  operationId: 'removeUserPasskey',
  action: 'passkey.remove',
  grants: 'nothing',
  method: 'DELETE',
  path: '/admin/api/users/{user_id}/passkeys/{passkey_id}',
  summary: 'Remove a passkey of an account, the last one too',
  params: UserId.extend({ passkey_id: z.string() }),
  success: { status: 204, description: 'It signs nobody in any more; the user gets a message' },
  errors: ['not_found', 'precondition_failed'],
});

const SsoIdentity = z.object({
  id: z.string(),
  issuer: z.string(),
  subject: z.string(),
  created_at: z.string(),
  last_used_at: z.string(),
});

export const listUserIdentities = endpoint({
  ...people,
  operationId: 'listUserIdentities',
  method: 'GET',
  path: '/admin/api/users/{user_id}/identities',
  summary: 'Identity providers that sign in to an account',
  params: UserId,
  success: {
    status: 200,
    description: 'Oldest first, one for each issuer',
    body: z.object({ items: z.array(SsoIdentity) }),
  },
  errors: ['not_found'],
});

export const unlinkUserIdentity = endpoint({
  ...forAdmins,
  operationId: 'unlinkUserIdentity',
  action: 'sso_identity.delete',
  grants: 'nothing',
  method: 'DELETE',
  path: '/admin/api/users/{user_id}/identities/{identity_id}',
  summary: 'Unlink an account from an identity provider',
  params: UserId.extend({ identity_id: z.string() }),
  success: { status: 204, description: 'The sessions that the provider opened have ended' },
  errors: ['not_found', 'precondition_failed'],
});

export const createSetupToken = endpoint({
  ...forAdmins,
  operationId: 'createSetupToken',
  action: 'setup_token.create',
  grants: 'credential',
  method: 'POST',
  path: '/admin/api/users/{user_id}/setup-token',
  summary: 'A new setup link for an account without a passkey',
  params: UserId,
  success: {
    status: 201,
    description: 'Good once, for 24 hours',
    body: z.object({ setup_url: z.string(), expires_at: z.string() }),
  },
  errors: ['not_found', 'conflict', 'precondition_failed'],
});

export const revokeUserConsent = endpoint({
  ...people,
  operationId: 'revokeUserConsent',
  grants: 'nothing',
  method: 'DELETE',
  path: '/admin/api/users/{user_id}/consents/{consent_id}',
  summary: 'Shut an application out of an account, with every token that it holds for it',
  params: UserId.extend({ consent_id: z.string() }),
  success: { status: 204, description: 'Its tokens are refused from the next request on' },
  errors: ['not_found', 'precondition_failed'],
});

export const deleteUser = endpoint({
  ...forAdmins,
  operationId: 'deleteUser',
  action: 'user.deactivate',
  grants: 'nothing',
  method: 'DELETE',
  path: '/admin/api/users/{user_id}',
  summary: 'Deactivate an account for good',
  params: UserId,
  success: { status: 204, description: 'Deactivated; what it did stays recorded' },
  errors: ['not_found', 'conflict', 'precondition_failed'],
});
