import { listProjects } from '@millwright/accounts/projects';
import { type Database } from '@millwright/db';
import { quotaShare, readQuotas } from '@millwright/db/quotas';
import { route, type Route } from '@millwright/http';
import { shownProject } from '../dashboard/shown-project.js';
import { listQuotas } from './quotas.contract.js';

export const quotasRoutes = (db: Database): Route[] => [
  route(listQuotas, async ({ principal, query }) => {
    const { project } = await shownProject(db, principal, query.project);
    const projects = project === null ? (await listProjects(db.prisma)).map(({ id }) => id) : [project];
    const quotas = await readQuotas(db, projects);
    const items = quotas.map((quota) => ({
      ...quota,
      share: quotaShare(quota),
      refused_at: quota.refused_at?.toISOString() ?? null,
    }));
    return { body: { items } };
  }),
];
