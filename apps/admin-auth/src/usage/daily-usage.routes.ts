import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { shownProject } from '../dashboard/shown-project.js';
import { PROJECTS } from '../dashboard/usage.service.js';
import { getDailyUsage } from './daily-usage.contract.js';
import { createDailyUsageStore } from './daily-usage.store.js';
import { periodOf } from './usage-days.js';

export function dailyUsageRoutes(db: Database): Route[] {
  const usage = createDailyUsageStore(db);
  return [
    route(getDailyUsage, async ({ principal, query: { by, from, to, project: wanted } }) => {
      const project = shownProject(principal, wanted);
      const projects = project === null ? PROJECTS : [project];
      return { body: { project, ...(await usage({ by, projects, ...periodOf({ from, to }, new Date()) })) } };
    }),
  ];
}
