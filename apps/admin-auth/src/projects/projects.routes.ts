import { createProject, deleteProject, listProjects, renameProject } from '@millwright/accounts/projects';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import * as contract from './projects.contract.js';

/**
 * Makes the endpoints for the projects that a user can select. When `isOpen`, platform admins can also make, rename and delete projects.
 */
export function projectsRoutes(db: Database, { isOpen }: { isOpen: boolean }): Route[] {
  const list = route(contract.listProjects, async ({ principal: { roles, project } }) => {
    const projects = await listProjects(db.prisma);
    const seesAll = roles.includes('admin') || roles.includes('auditor');
    const items = seesAll ? projects : projects.filter(({ id }) => id === project);
    return { body: { items, open: isOpen && roles.includes('platform_admin') } };
  });
  if (!isOpen) return [list];
  return [
    list,
    route(contract.createProject, ({ body, caller, commit }) =>
      commit(async (tx) => ({ body: await createProject(tx, body.name, caller.actor) })),
    ),
    route(contract.renameProject, ({ params, body, caller, commit }) =>
      commit(async (tx) => ({ body: await renameProject(tx, params.project, body.name, caller.actor) })),
    ),
    route(contract.deleteProject, ({ params, caller, commit }) =>
      commit(async (tx) => {
        await deleteProject(tx, params.project, caller.actor);
        return {};
      }),
    ),
  ];
}
