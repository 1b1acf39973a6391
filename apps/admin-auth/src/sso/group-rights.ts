import type { AccountRole, Project } from '@millwright/auth';
import type { GroupRules } from './sso-file.js';

/** Rights of an account from the groups of its issuer; never the role of platform admin. */
export interface GroupRights {
  role: AccountRole;
  project: Project;
}

/**
 * The rights that a user's groups give: `admin` when one of them does, else `project_admin` when one does, and the project of the first entry with that role. `none`
 * when no group is mapped; `undefined` without rules, where rights are given in the console.
 */
export function rightsOf(rules: GroupRules | undefined, groups: readonly string[]): GroupRights | 'none' | undefined {
  if (!rules) return undefined;
  const matches = rules.map.filter(({ group }) => groups.includes(group));
  const match =
    ['admin', 'project_admin'].flatMap((role) => matches.filter((one) => one.role === role))[0] ?? matches[0];
  return match ? { role: match.role, project: match.project } : 'none';
}
