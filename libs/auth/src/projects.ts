import { z } from 'zod';

/** The projects that every installation has. Their names are also their ids. */
export const SPECIFIED_PROJECTS = ['Core', 'Commerce'] as const;

/**
 * Id of a project. Records, credentials and tokens contain the id of the project to which they belong. The id is made from the first name
 * of the project, never changes and is never used again.
 */
export type Project = string;

/** Whether a project is Core or Commerce, which are never renamed or deleted. */
export const isSpecifiedProject = (id: string): boolean => SPECIFIED_PROJECTS.some((project) => project === id);

/**
 * Form of the ids of all projects except Core and Commerce: lower case, and different from the ids of these two in any
 * letter case.
 */
export const PROJECT_ID = /^(?!(?:core|commerce)$)[a-z0-9](?:-?[a-z0-9]){0,39}$/;

/** Reason why a project is refused in an installation that has only Core and Commerce. */
export const NO_SUCH_PROJECT = `must be one of ${SPECIFIED_PROJECTS.join(', ')}`;

/** Whether a text has the form of a project's id. */
export const isProjectId = (id: unknown): id is Project =>
  typeof id === 'string' && (isSpecifiedProject(id) || PROJECT_ID.test(id));

/** Id of a project, in requests and answers. The code that uses the id checks whether the project exists. */
export const ProjectId = z.custom<Project>(isProjectId, NO_SUCH_PROJECT).meta({
  type: 'string',
  pattern: '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$',
  description: '`Core`, `Commerce`, or the id of a project that a platform admin made',
});
