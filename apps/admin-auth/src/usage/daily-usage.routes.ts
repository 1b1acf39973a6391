import type { Principal } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import type { z } from 'zod';
import { shownProject } from '../dashboard/shown-project.js';
import { getDailyUsage, type UsagePeriodQuery } from './daily-usage.contract.js';
import { createDailyUsageStore } from './daily-usage.store.js';
import { getToolUsage } from './tool-usage.contract.js';
import { createToolUsageStore } from './tool-usage.store.js';
import { periodOf } from './usage-days.js';

/** Returns the project that a request selects, and the projects and days whose usage is shown. */
async function shownUsage(
  db: Database,
  principal: Principal,
  { from, to, project: wanted }: z.output<typeof UsagePeriodQuery>,
) {
  const { project, projects } = await shownProject(db, principal, wanted);
  return { project, filter: { projects, ...periodOf({ from, to }, new Date()) } };
}

export function dailyUsageRoutes(db: Database): Route[] {
  const [usage, toolUsage] = [createDailyUsageStore(db), createToolUsageStore(db)];
  return [
    route(getDailyUsage, async ({ principal, query: { by, ...query } }) => {
      const { project, filter } = await shownUsage(db, principal, query);
      return { body: { project, ...(await usage({ by, ...filter })) } };
    }),
    route(getToolUsage, async ({ principal, query }) => {
      const { project, filter } = await shownUsage(db, principal, query);
      return { body: { project, ...(await toolUsage(filter)) } };
    }),
  ];
}
