import { accountRole, mayGive, rolesWith, type Plan, type Project } from '@millwright/auth';
import type { Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { KeyScopes, parseField } from '../fields.js';
import { lockAccount } from '../lock-account.js';
import { requireProject } from '../projects/projects.store.js';

/** Rights requested for a credential. Defaults: the owner's project, the plan `standard`, all scopes of the owner. */
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
 * Returns the rights of a new credential of an account. An admin's credential may have any project and any scope. Any other user's credential has the
 * user's project and never `users:*`; only a project admin's credential may have `admin`. An auditor's credential has no rights. Only admins give the
 * plan `professional`. Locks the account, so that nobody can disable it before the credential exists, and so that its new credentials are counted one
 * after the other.
 *
 * @throws AppError not_found; conflict for an inactive account and for an auditor; validation_error with the field `project`, `plan` or `scopes` when
 * the credential may not have the requested value.
 */
export async function requireRights(
  tx: Tx,
  userId: string,
  { project, plan = 'standard', scopes = ['*'] }: WantedRights,
  { byAdmin }: { byAdmin: boolean },
): Promise<Rights> {
  const owner = await lockAccount(tx, userId, () => undefined);
  if (owner.status !== 'active') throw new AppError('conflict', { fields: [{ field: 'user', reason: 'is inactive' }] });
  const role = accountRole(owner);
  if (role === 'auditor') throw new AppError('conflict', { fields: [{ field: 'user', reason: 'is an auditor' }] });
  const isAdmin = role === 'admin';
  const own = owner.project;
  if (project !== undefined && project !== own && !isAdmin)
    throw invalidField('project', `is ${own} for this user; only an admin may choose`);
  if (project !== undefined && project !== own) await requireProject(tx, project);
  if (plan === 'professional' && !byAdmin) throw invalidField('plan', 'professional is given by an admin');
  const beyond = parseField('scopes', KeyScopes, scopes).find((scope) => !mayGive(scope, rolesWith(role)));
  if (beyond !== undefined) throw invalidField('scopes', `${beyond} is for admins`);
  return { userId, project: project ?? own, plan, scopes: [...scopes] };
}
