import { useQuery } from '@tanstack/react-query';
import { resource } from './api.js';
import type { Me } from './admin-records.js';

export type Role = 'user' | 'project_admin' | 'auditor' | 'admin' | 'platform_admin';

/** Roles that administer the records and users of a project. */
export const PROJECT_ROLES: readonly Role[] = ['admin', 'project_admin'];
/** Roles that read the audit log. */
export const AUDIT_ROLES: readonly Role[] = ['admin', 'auditor'];

export const hasRole = (roles: readonly string[] | undefined, wanted: readonly Role[]): boolean =>
  wanted.some((role) => roles?.includes(role) === true);

/** Whether the signed-in person has one of the roles; `false` until the roles are known. */
export const useHasRole = (...wanted: readonly Role[]): boolean =>
  hasRole(useQuery(resource<Me>('/me')).data?.roles, wanted);

/** Address of the chat, which is not below the console's base path. */
export const CHAT = '/chat';

/** The first page of the console for a user with these roles. */
export function homeOf(roles: readonly string[] | undefined): string {
  if (hasRole(roles, PROJECT_ROLES)) return '/';
  return hasRole(roles, ['auditor']) ? '/audit' : '/profile';
}
