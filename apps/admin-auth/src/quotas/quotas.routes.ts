import { type Database } from '@millwright/db';
import { quotaShare, readQuotas } from '@millwright/db/quotas';
import { route, type Route } from '@millwright/http';
import { shownProjects } from '../dashboard/shown-project.js';
import { listQuotas } from './quotas.contract.js';

export const quotasRoutes = (db: Database): Route[] => [
  route(listQuotas, async ({ principal, query }) => {
    const quotas = await readQuotas(db, shownProjects(principal, query.project));
    const items = quotas.map((quota) => ({
      ...quota,
      share: quotaShare(quota),
      refused_at: quota.refused_at?.toISOString() ?? null,
    }));
    return { body: { items } };
  }),
];
