import type { Principal } from '@millwright/auth';
import { AppError } from '@millwright/errors';
import { PROJECTS, type Project } from './usage.service.js';

/** Returns the project to show, or null for all projects. @throws AppError forbidden for a project that is not the admin's. */
export function shownProject(principal: Pick<Principal, 'project' | 'roles'>, wanted?: Project): Project | null {
  if (principal.roles.includes('platform_admin')) return wanted ?? null;
  if (wanted !== undefined && wanted !== principal.project) throw new AppError('forbidden');
  return principal.project;
}

/** Returns the projects whose figures are shown. */
export function shownProjects(principal: Pick<Principal, 'project' | 'roles'>, wanted?: Project): readonly Project[] {
  const project = shownProject(principal, wanted);
  return project === null ? PROJECTS : [project];
}
