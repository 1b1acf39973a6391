import { recordDenial } from '@millwright/audit';
import { callerOf, type Principal, type Role, type Scope, type UserSession } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';

/**
 * The proof that a request must contain before its endpoint runs:
 * - `public`: nothing.
 * - `setup`: a setup token in the body of the request, which the endpoint checks, or the proof that `fresh` requires.
 * - `session`: a signed-in person.
 * - `fresh`: a signed-in person with a recent proof by passkey.
 * - `provisioning`: the token of a provisioning client (SCIM).
 * - `credential`: any valid credential; the endpoint checks the scopes that are required for the records in the body of the request.
 * - an object with `scope`: a credential with this scope, or with the scope `or`.
 * - an object with `role`: a signed-in person with this role, or with one of the roles of a list; with a recent proof by passkey when
 *   `fresh` is set.
 */
export type Access =
  | 'public'
  | 'setup'
  | 'session'
  | 'fresh'
  | 'provisioning'
  | 'credential'
  | { scope: Scope; or?: Scope }
  | { role: Role | readonly Role[]; fresh?: true };

/** Kinds of access that admit requests without any credential. */
export type OptionalAccess = 'public' | 'setup';

/** A signed-in user. */
export type SessionPrincipal<Found extends Principal = Principal> = Found & { session: UserSession };

/** The principal that a handler receives for each kind of {@link Access}. */
export type PrincipalFor<Required, Found extends Principal = Principal> = Required extends OptionalAccess
  ? Found | undefined
  : Required extends { scope: Scope } | 'credential' | 'provisioning'
    ? Found
    : SessionPrincipal<Found>;

/** Whether a request without any credential is refused. */
export const needsCredential = (access: Access): boolean => access !== 'public' && access !== 'setup';

export const scopeOf = (access: Access): Scope | undefined =>
  typeof access === 'object' && 'scope' in access ? access.scope : undefined;

/** The scopes of which a credential needs at least one. */
export const scopesOf = (access: Access): readonly Scope[] =>
  typeof access === 'object' && 'scope' in access ? [access.scope, ...(access.or ? [access.or] : [])] : [];

/** The roles that grant the access; a person needs one of them. The most common role is first. */
export function rolesFor(access: Access): readonly [Role, ...Role[]] | undefined {
  if (typeof access !== 'object' || !('role' in access)) return undefined;
  const [first, ...others] = typeof access.role === 'string' ? [access.role] : access.role;
  return first && [first, ...others];
}

export const needsFreshProof = (access: Access): boolean =>
  access === 'fresh' || (typeof access === 'object' && 'role' in access && access.fresh === true);

/**
 * The access that is required for a method without a contract: the weakest access among the contracts of the path,
 * without scope and proof.
 */
export function leastAccess(accesses: readonly Access[]): Access {
  const [least = 'public'] = accesses.map(withoutDetail).sort((a, b) => rank(a) - rank(b));
  return least;
}

function withoutDetail(access: Access): Access {
  const role = rolesFor(access);
  if (role) return { role };
  if (scopeOf(access)) return 'credential';
  return access === 'fresh' ? 'session' : access;
}

/** Roles in order of rank: the more people have a role, the lower its rank. */
const RANKS: Record<Role, number> = { user: 2, auditor: 3, project_admin: 3, admin: 4, platform_admin: 5 };

function rank(access: Access): number {
  if (!needsCredential(access)) return 0;
  const roles = rolesFor(access);
  return roles ? Math.min(...roles.map((role) => RANKS[role])) : 1;
}

export interface AccessRequest {
  requestId: string;
  ip: string;
  path: string;
  /** Name of the refused attempt in the audit log. */
  action: string;
}

const ROLE_MISSING: Record<Role, string> = {
  user: 'not a user',
  project_admin: 'not a project admin',
  auditor: 'not an auditor',
  admin: 'not an admin',
  platform_admin: 'not a platform admin',
};

/** The 403 that names the scope that the credential lacks (RFC 6750 §3.1). */
const scopeMissing = (scope: Scope): AppError =>
  new AppError('forbidden', {
    fields: [{ field: 'scope', reason: `${scope} is missing` }],
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });

/**
 * Refuses an authenticated caller without the access that an endpoint requires, and records the refused attempt.
 *
 * @throws AppError forbidden without the scope, the role or the provisioning token; step_up_required without a recent proof by passkey
 */
export async function requireAccess(
  db: Database,
  access: Access,
  principal: Principal,
  { path, action, ...from }: AccessRequest,
): Promise<void> {
  const { actor, project } = callerOf(principal, from);
  const deny = (entry: { action: string; resource: string }, reason: string) =>
    recordDenial(db, { actor, project, ...entry }, reason);
  const resource = path.slice(0, 500);

  // A provisioning token is the only credential that such an endpoint accepts.
  if (access === 'provisioning' && principal.credential.kind !== 'provisioning_token') throw new AppError('forbidden');
  const scope = scopeOf(access);
  if (scope && !scopesOf(access).some((one) => principal.scopes.has(one))) {
    await deny({ action, resource }, `scope ${scope} is missing`);
    throw scopeMissing(scope);
  }
  const roles = rolesFor(access);
  if (roles && !roles.some((role) => principal.roles.includes(role))) {
    await deny({ action: 'console.access', resource }, ROLE_MISSING[roles[0]]);
    throw new AppError('forbidden');
  }
  if (needsFreshProof(access) && !principal.session?.fresh) {
    await deny({ action, resource: encodeId('usr', principal.user.id) }, 'no fresh passkey proof');
    throw new AppError('step_up_required');
  }
}
