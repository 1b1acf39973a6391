import { PROJECT_NAME_LENGTH } from '@millwright/accounts/projects';
import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { z } from 'zod';

const Project = z.object({ id: ProjectId, name: z.string() });
const Name = z.string().trim().min(1).max(PROJECT_NAME_LENGTH);

export const listProjects = endpoint({
  operationId: 'listProjects',
  method: 'GET',
  path: '/admin/api/projects',
  summary: 'The projects in which the signed-in user can work',
  tag: 'Enterprises',
  access: 'session',
  limit: 'credential',
  success: {
    status: 200,
    description: 'All of them for an admin and an auditor, the own one for others',
    body: z.object({
      items: z.array(Project),
      open: z.boolean().meta({ description: 'Whether the user can make, rename and delete projects' }),
    }),
  },
  errors: [],
});

const power = {
  tag: 'Enterprises',
  access: { role: 'platform_admin', fresh: true },
  limit: 'credential',
  params: z.object({ project: ProjectId }),
} as const;
const WHERE = 'Exists where `PROJECTS_OPEN` is on.';

export const createProject = endpoint({
  tag: 'Enterprises',
  access: { role: 'platform_admin', fresh: true },
  limit: 'credential',
  operationId: 'createProject',
  action: 'project.create',
  grants: 'right',
  method: 'POST',
  path: '/admin/api/enterprises',
  summary: 'Make a project',
  description: WHERE,
  body: z.strictObject({ name: Name.meta({ description: 'Its id is made from it, and stays when the name changes' }) }),
  success: { status: 201, description: 'The project; all services know it from now on', body: Project },
  errors: ['conflict'],
});

export const renameProject = endpoint({
  ...power,
  operationId: 'renameProject',
  action: 'project.rename',
  grants: 'nothing',
  method: 'PATCH',
  path: '/admin/api/enterprises/{project}',
  summary: 'Give a project another name',
  description: `${WHERE} \`Core\` and \`Commerce\` keep their names.`,
  body: z.strictObject({ name: Name }),
  success: { status: 200, description: 'The project, with the same id', body: Project },
  errors: ['not_found', 'conflict'],
});

export const deleteProject = endpoint({
  ...power,
  operationId: 'deleteProject',
  action: 'project.delete',
  grants: 'nothing',
  method: 'DELETE',
  path: '/admin/api/enterprises/{project}',
  summary: 'Delete a project without members and records',
  description: `${WHERE} Credentials that are left in it are revoked; its audit log and the sums of its usage stay.`,
  success: { status: 204, description: 'The project is gone, and its id is never used again' },
  errors: ['not_found', 'conflict'],
});
