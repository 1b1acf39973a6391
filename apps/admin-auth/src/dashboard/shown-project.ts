import { allProjects, refuseOtherProject, requireProject } from '@millwright/accounts/projects';
import type { Principal, Project } from '@millwright/auth';
import type { Database } from '@millwright/db';

/** The project whose figures are shown, or all projects. */
export interface Shown {
  /** The single project that is shown; null when all projects are shown. */
  project: Project | null;
  /** The requested project, or all projects that may have figures, including deleted projects. */
  projects: readonly Project[];
}

/**
 * Returns the project to show, or all projects when a platform admin requests no project.
 *
 * @throws AppError validation_error when the project does not exist, forbidden when it is not the admin's project.
 */
export async function shownProject(
  db: Pick<Database, 'prisma'>,
  principal: Pick<Principal, 'project' | 'roles'>,
  wanted?: Project,
): Promise<Shown> {
  if (!principal.roles.includes('platform_admin')) {
    const { project } = principal;
    if (wanted !== undefined && wanted !== project) refuseOtherProject(wanted);
    return { project, projects: [project] };
  }
  if (wanted === undefined) return { project: null, projects: await allProjects(db.prisma) };
  await requireProject(db.prisma, wanted);
  return { project: wanted, projects: [wanted] };
}
