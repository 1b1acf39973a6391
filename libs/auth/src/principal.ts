import type { Actor } from '@millwright/audit';
import type { ToolList } from './tool-lists.js';

export type Project = 'Core' | 'Commerce';
export type Plan = 'standard' | 'professional';
export type Role = 'user' | 'admin' | 'platform_admin';

export interface Credential {
  kind: 'api_key' | 'access_token' | 'gateway_token' | 'area_token';
  /** Stable id of the credential. Rate limits count by it. */
  id: string;
  plan: Plan;
}

/** A person's session at the console. */
export interface UserSession {
  id: string;
  /** Whether a recent proof by passkey counts; it does until `freshUntil`. */
  fresh: boolean;
  freshUntil: Date;
}

/** The user behind a request, whatever credential proves it. */
export interface Principal {
  user: { id: string; name: string; email: string };
  /** The only project whose resources this credential reaches. */
  project: Project;
  roles: readonly Role[];
  scopes: ReadonlySet<string>;
  credential: Credential;
  /** MCP tools that the credential allows; all of them without a list. */
  mcpTools?: ToolList;
  /** The session, for a credential that is a session's cookie. */
  session?: UserSession;
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
 * SQL condition that a credential's project is still its user's, with `u` the users table. A user who is not an admin belongs to one
 * project: when they move, their credentials of the former project stop working.
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

/** The principal and actor of one request. */
export interface Caller {
  /** The only project that the request may read and change. */
  project: Project;
  actor: Actor;
  /** Scopes of the credential. Without them, nothing may be read on the caller's behalf. */
  scopes?: ReadonlySet<string>;
  /** MCP tools that the credential allows. */
  mcpTools?: ToolList;
}

/** The caller of a request: its principal as the accountable actor. */
export function callerOf(principal: Principal, request: { requestId: string; ip: string }): Caller {
  const actor: Actor = { userId: principal.user.id, kind: 'user', label: principal.user.name, ...request };
  const { project, scopes, mcpTools } = principal;
  return { project, actor, scopes, ...(mcpTools && { mcpTools }) };
}
