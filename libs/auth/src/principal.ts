import type { Actor } from '@millwright/audit';
import { actorName, actorsOf, type Delegation } from './actors.js';
import type { Project } from './projects.js';
import type { ToolList } from './tool-lists.js';

export type Plan = 'standard' | 'professional';
/** The roles of a signed-in person, which determine their rights. See docs/adr/0021. */
export type Role = 'user' | 'project_admin' | 'auditor' | 'admin' | 'platform_admin';

/** The roles that an account can have. A platform admin is an `admin` with a separate mark. */
export const ACCOUNT_ROLES = ['user', 'project_admin', 'auditor', 'admin'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

export interface Credential {
  kind: 'api_key' | 'access_token' | 'gateway_token' | 'area_token' | 'provisioning_token';
  /** Stable id of the credential. Rate limits count requests by this id. */
  id: string;
  plan: Plan;
}

/** A person's session at the console. */
export interface UserSession {
  id: string;
  /** Whether the session has a recent proof by passkey. The value is true until the time `freshUntil`. */
  fresh: boolean;
  freshUntil: Date;
  /**
   * Time of the last proof. It is in 1970 for a user who signed in with an identity provider and has not given a proof
   * here.
   */
  provenAt: Date;
}

/** The user of a request, with any kind of credential. */
export interface Principal {
  user: { id: string; name: string; email: string };
  /** The only project whose resources this credential reaches. */
  project: Project;
  roles: readonly Role[];
  scopes: ReadonlySet<string>;
  credential: Credential;
  /** MCP tools that the credential allows; undefined allows all tools. */
  mcpTools?: ToolList;
  /** The chain of actors of the credential, if the credential has a chain. */
  delegation?: Delegation;
  /** The session, when the credential is the cookie of a session. */
  session?: UserSession;
  /** Whether the credential is a token of the console, and its session has no recent proof by passkey. */
  lacksProof?: true;
}

/** The account columns that every credential check reads, by their names in the database. */
export interface AccountRow {
  user_id: string;
  user_name: string;
  user_email: string;
  user_role: 'user' | 'admin';
  user_delegated_role: 'project_admin' | 'auditor' | null;
  user_platform_admin: boolean;
  user_status: 'active' | 'inactive';
}

/** Select list for {@link AccountRow}, with `u` the users table. */
export const ACCOUNT_COLUMNS = `u.id AS user_id, u.name AS user_name, u.email AS user_email, u.role AS user_role,
  u.delegated_role AS user_delegated_role, u.platform_admin AS user_platform_admin, u.status AS user_status`;

/**
 * SQL condition that the project of a credential is still the project of its user, with `u` the users table. A user who
 * is not an admin belongs to one project. When the user moves, the credentials of the former project stop working.
 *
 * @param table alias of the credential's table
 */
export const worksInItsProject = (table: string): string => `(u.role = 'admin' OR ${table}.project = u.project)`;

/** The roles of a person by the role of the account. An auditor does not have the role `user`, which every access to a project requires. */
const ROLES: Readonly<Record<AccountRole, readonly Role[]>> = {
  user: ['user'],
  project_admin: ['user', 'project_admin'],
  auditor: ['auditor'],
  admin: ['user', 'admin'],
};

/** The columns of {@link AccountRow} that determine the roles of an account. */
export type RoleRow = Pick<AccountRow, 'user_role' | 'user_delegated_role' | 'user_platform_admin'>;

/** Returns all roles that follow from an account's role. */
export const rolesWith = (role: AccountRole): readonly Role[] => ROLES[role];

export function rolesOf(row: RoleRow): readonly Role[] {
  if (row.user_role === 'admin' && row.user_platform_admin) return [...ROLES.admin, 'platform_admin'];
  return rolesWith(accountRole({ role: row.user_role, delegated_role: row.user_delegated_role }));
}

/** Returns the role of an account, from its columns. */
export function accountRole(row: { role: string; delegated_role: string | null }): AccountRole {
  if (row.role === 'admin') return 'admin';
  return row.delegated_role === 'project_admin' || row.delegated_role === 'auditor' ? row.delegated_role : 'user';
}

/**
 * Returns the columns of an account with this role. An earlier release, which does not have the delegated roles, reads only `role`, so
 * `role` is `user` for accounts with a delegated role.
 */
export const roleColumns = (role: AccountRole) => ({
  role: role === 'admin' ? ('admin' as const) : ('user' as const),
  delegated_role: role === 'project_admin' || role === 'auditor' ? role : null,
});

export function userOf(row: AccountRow): Principal['user'] {
  return { id: row.user_id, name: row.user_name, email: row.user_email };
}

/** The principal and actor of one request. */
export interface Caller {
  /** The only project that the request may read and change. */
  project: Project;
  actor: Actor;
  /** Scopes of the credential. When they are missing, nothing may be read on the caller's behalf. */
  scopes?: ReadonlySet<string>;
  /** MCP tools that the credential allows. */
  mcpTools?: ToolList;
  /** The credential of the request. */
  credential?: Pick<Credential, 'kind' | 'id'>;
  /** The chain of actors of that credential. */
  delegation?: Delegation;
  /** Whether the console's user has no recent proof by passkey. Changes that loosen a protection are then refused with `step_up_required`. */
  lacksProof?: true;
}

/** Makes the caller of a request: its project, its actor in the audit log, and its credential. */
export function callerOf(principal: Principal, request: { requestId: string; ip: string }): Caller {
  const { project, scopes, mcpTools, lacksProof, delegation } = principal;
  const actor: Actor = {
    ...{ userId: principal.user.id, kind: 'user', label: principal.user.name, ...request },
    ...(delegation && {
      origin: {
        actors: actorsOf(delegation.act).map(actorName),
        ...(delegation.txn !== undefined && { called_by: delegation.txn }),
      },
    }),
  };
  const { kind, id } = principal.credential;
  return {
    project,
    actor,
    scopes,
    ...(mcpTools && { mcpTools }),
    ...(lacksProof && { lacksProof }),
    credential: { kind, id },
    ...(delegation && { delegation }),
  };
}
