import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ListQuery, listOf } from '../lists/list.contract.js';

/** A user as the runtime API returns it. */
export const User = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['user', 'admin']),
  project: ProjectId,
  status: z.enum(['active', 'inactive']),
  created_at: z.string(),
});
export type User = z.output<typeof User>;

/** The fields of a new user. `@millwright/accounts` checks the email address. */
export const NewUser = z.strictObject({
  email: z.string().trim().min(1).max(254),
  name: z.string().trim().min(1).max(200),
});
export type NewUser = z.output<typeof NewUser>;

/** Fields to change. A field that is left out keeps its value. */
export const UserChanges = NewUser.partial();
export type UserChanges = z.output<typeof UserChanges>;

const params = z.object({ user_id: z.string() });
const one = { status: 200, description: 'The user', body: User } as const;

export const listUsers = endpoint({
  operationId: 'listUsers',
  method: 'GET',
  path: '/api/v1/users',
  summary: 'List users, oldest first',
  tag: 'Users',
  access: { scope: 'users:read' },
  limit: 'credential',
  query: ListQuery,
  success: { status: 200, description: 'A page of users', body: listOf(User) },
  errors: [],
});

export const createUser = endpoint({
  operationId: 'createUser',
  method: 'POST',
  path: '/api/v1/users',
  summary: 'Create a user',
  tag: 'Users',
  access: { scope: 'users:write' },
  limit: 'credential',
  body: NewUser,
  success: { status: 201, description: 'The new user', body: User },
  errors: [],
});

export const getUser = endpoint({
  operationId: 'getUser',
  method: 'GET',
  path: '/api/v1/users/{user_id}',
  summary: 'Retrieve a user',
  tag: 'Users',
  access: { scope: 'users:read' },
  limit: 'credential',
  params,
  success: one,
  errors: [],
});

export const updateUser = endpoint({
  operationId: 'updateUser',
  method: 'PUT',
  path: '/api/v1/users/{user_id}',
  summary: 'Update fields of a user',
  tag: 'Users',
  access: { scope: 'users:write' },
  limit: 'credential',
  params,
  body: UserChanges,
  success: one,
  errors: ['precondition_failed'],
});

export const deactivateUser = endpoint({
  operationId: 'deactivateUser',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}',
  tag: 'Users',
  summary: 'Deactivate a user and revoke their credentials',
  access: { scope: 'users:write' },
  limit: 'credential',
  params,
  success: one,
  errors: ['validation_error', 'precondition_failed'],
});
