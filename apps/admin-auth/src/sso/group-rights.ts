import type { AccountRole, Project } from '@millwright/auth';
import type { GroupRules } from './sso-file.js';

/** Rights of an account from the groups of its issuer; never the role of platform admin. */
export interface GroupRights {
  role: AccountRole;
  project: Project;
}

/**
 * Returns the rights that a user's groups give. One entry of the rules decides role and project: the first matching entry with the role
 * `admin`, otherwise the first with `project_admin`, otherwise the first matching entry. `none`: no group is mapped. `undefined`: there are no
 * rules, because rights are given in the console.
 */
export function rightsOf(rules: GroupRules | undefined, groups: readonly string[]): GroupRights | 'none' | undefined {
  if (!rules) return undefined;
  const matches = rules.map.filter(({ group }) => groups.includes(group));
  const match =
    ['admin', 'project_admin'].flatMap((role) => matches.filter((one) => one.role === role))[0] ?? matches[0];
  return match ? { role: match.role, project: match.project } : 'none';
}
