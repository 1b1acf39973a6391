import type { Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { Plan, Project } from './principal.js';
import { isGrantableScope, mayGive } from './scopes.js';

/** What is asked for a credential. Left out: the owner's project, the plan `standard`, all scopes that the owner has. */
export interface WantedRights {
  project?: Project | undefined;
  plan?: Plan | undefined;
  scopes?: readonly string[] | undefined;
}

export interface Rights {
  userId: string;
  project: Project;
  plan: Plan;
  scopes: string[];
}

/**
 * The rights of a new credential of that account: an admin chooses the project and gives any scope; everyone else's credential is of
 * their own project and never has `users:*` or `admin`. The plan `professional` is given by admins only, to whomever they like.
 * The account is held, so that it is not disabled before its credential exists.
 *
 * @throws AppError not_found, conflict for an inactive account, validation_error naming `project`, `plan` or `scopes`.
 */
export async function requireRights(
  tx: Tx,
  userId: string,
  { project, plan = 'standard', scopes = ['*'] }: WantedRights,
  { byAdmin }: { byAdmin: boolean },
): Promise<Rights> {
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR SHARE`;
  const owner = await tx.user.findUnique({ where: { id: userId } });
  if (!owner) throw new AppError('not_found');
  if (owner.status !== 'active') throw new AppError('conflict', { fields: [{ field: 'user', reason: 'is inactive' }] });
  const isAdmin = owner.role === 'admin';
  const own = owner.project as Project;
  if (project !== undefined && project !== own && !isAdmin)
    throw invalidField('project', `is ${own} for this user; only an admin may choose`);
  if (plan === 'professional' && !byAdmin) throw invalidField('plan', 'professional is given by an admin');
  requireScopes(scopes, isAdmin);
  return { userId, project: project ?? own, plan, scopes: [...scopes] };
}

function requireScopes(scopes: readonly string[], isAdmin: boolean): void {
  if (scopes.length === 0) throw invalidField('scopes', 'must name at least one scope');
  const unknown = scopes.find((scope) => !isGrantableScope(scope));
  if (unknown !== undefined) throw invalidField('scopes', `"${unknown}" is not a scope`);
  const beyond = scopes.find((scope) => !mayGive(scope, isAdmin));
  if (beyond !== undefined) throw invalidField('scopes', `${beyond} is for admins`);
}
