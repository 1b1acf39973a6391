import { allProjects, requireProject } from '@millwright/accounts/projects';
import type { Principal, Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';

/** Whose figures are shown. */
export interface Shown {
  /** Null: all projects. */
  project: Project | null;
  /** The project, or every one that figures may be of, deleted ones included. */
  projects: readonly Project[];
}

/**
 * Returns the project to show, or all projects for a platform admin who names none.
 *
 * @throws AppError validation_error for a project that does not exist, forbidden for a project that is not the admin's.
 */
export async function shownProject(
  db: Pick<Database, 'prisma'>,
  principal: Pick<Principal, 'project' | 'roles'>,
  wanted?: Project,
): Promise<Shown> {
  if (wanted !== undefined && wanted !== principal.project) await requireProject(db.prisma, wanted);
  if (principal.roles.includes('platform_admin')) {
    return wanted === undefined
      ? { project: null, projects: await allProjects(db.prisma) }
      : { project: wanted, projects: [wanted] };
  }
  const { project } = principal;
  if (wanted !== undefined && wanted !== project) throw new AppError('forbidden');
  return { project, projects: [project] };
}
