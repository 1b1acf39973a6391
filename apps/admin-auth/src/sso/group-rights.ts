import type { AccountRole, Project } from '@millwright/auth';
import type { GroupRules } from './sso-file.js';

/** Rights that an account gets from the groups of its issuer. They never include the role of platform admin. */
export interface GroupRights {
  role: AccountRole;
  project: Project;
}

/**
 * Returns the rights that a user's groups give. One entry of the rules decides both role and project: the first matching entry with the
 * role `admin`; if there is none, the first one with `project_admin`; if there is none, the first matching entry. Returns `none` when no
 * group is mapped, and `undefined` when there are no rules, because rights are then given in the console.
 */
export function rightsOf(rules: GroupRules | undefined, groups: readonly string[]): GroupRights | 'none' | undefined {
  if (!rules) return undefined;
  const matches = rules.map.filter(({ group }) => groups.includes(group));
  const match =
    ['admin', 'project_admin'].flatMap((role) => matches.filter((one) => one.role === role))[0] ?? matches[0];
  return match ? { role: match.role, project: match.project } : 'none';
}
