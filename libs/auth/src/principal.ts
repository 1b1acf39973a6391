import type { Actor } from '@millwright/audit';
import type { ToolList } from './tool-lists.js';

export type Project = 'Core' | 'Commerce';
export type Plan = 'standard' | 'professional';
export type Role = 'user' | 'admin' | 'platform_admin';

export interface Credential {
  kind: 'api_key' | 'access_token' | 'gateway_token' | 'area_token';
  /** Stable id of the credential: what its limits are counted by. */
  id: string;
  plan: Plan;
}

/** Who is asking, whatever they showed to prove it. */
export interface Principal {
  user: { id: string; name: string; email: string };
  /** The only project whose resources this credential reaches. */
  project: Project;
  roles: readonly Role[];
  scopes: ReadonlySet<string>;
  credential: Credential;
  /** Which tools of MCP servers the credential is for; without a list, it is not held to one. */
  mcpTools?: ToolList;
}

/** The account columns that every credential check reads, as the database names them. */
export interface AccountRow {
  user_id: string;
  user_name: string;
  user_email: string;
  user_role: 'user' | 'admin';
  user_platform_admin: boolean;
  user_status: 'active' | 'inactive';
}

/** Select list for {@link AccountRow}, with `u` the users table. */
export const ACCOUNT_COLUMNS = `u.id AS user_id, u.name AS user_name, u.email AS user_email, u.role AS user_role,
  u.platform_admin AS user_platform_admin, u.status AS user_status`;

/**
 * Condition that a credential's project is still its user's, with `u` the users table: someone who is no admin belongs to one
 * project, and is moved out of the other with all that they hold.
 *
 * @param table alias of the credential's table
 */
export const worksInItsProject = (table: string): string => `(u.role = 'admin' OR ${table}.project = u.project)`;

export function rolesOf(row: Pick<AccountRow, 'user_role' | 'user_platform_admin'>): readonly Role[] {
  if (row.user_role === 'user') return ['user'];
  return row.user_platform_admin ? ['user', 'admin', 'platform_admin'] : ['user', 'admin'];
}

export function userOf(row: AccountRow): Principal['user'] {
  return { id: row.user_id, name: row.user_name, email: row.user_email };
}

/** What a change needs to know of who makes it. */
export interface Caller {
  /** The only project it may touch. */
  project: Project;
  actor: Actor;
  /** What its credential may do; without one, nothing may be read on its behalf. */
  scopes?: ReadonlySet<string>;
  /** Which tools of MCP servers its credential is for. */
  mcpTools?: ToolList;
}

/** The principal as the one accountable for what this request does. */
export function callerOf(principal: Principal, request: { requestId: string; ip: string }): Caller {
  const actor: Actor = { userId: principal.user.id, kind: 'user', label: principal.user.name, ...request };
  const { project, scopes, mcpTools } = principal;
  return { project, actor, scopes, ...(mcpTools && { mcpTools }) };
}
