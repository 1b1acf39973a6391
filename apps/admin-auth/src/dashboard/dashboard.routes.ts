import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { createAuditStore } from '../audit/audit.store.js';
import { createAreaHealth, type AreaAddresses } from './area-health.js';
import { createAttentionStore } from './attention.store.js';
import * as contract from './dashboard.contract.js';
import { countRecords } from './dashboard.store.js';
import { shownProject } from './shown-project.js';
import { getDashboardUsage } from './usage.contract.js';
import { createUsage } from './usage.service.js';

const SHOWN_ACTIVITY = 8;

export interface DashboardOptions {
  config: { BASE_URL: string; RUNTIME_URL: string; PROMPT_API_URL: string };
  isRegistrationOpen: boolean;
  areas: AreaAddresses;
}

export function dashboardRoutes(db: Database, { config, isRegistrationOpen, areas }: DashboardOptions): Route[] {
  const [usage, attention, areaHealth] = [createUsage(db), createAttentionStore(db), createAreaHealth(areas)];
  const audit = createAuditStore(db);
  return [
    route(contract.getDashboard, async ({ principal, query }) => {
      const { project, projects } = await shownProject(db, principal, query.project);
      const [records, quarantined, expiring_keys] = await Promise.all([
        countRecords(db, projects),
        attention.quarantined(projects),
        attention.expiringKeys(projects, new Date()),
      ]);
      return {
        body: { project, records, registration_open: isRegistrationOpen, quarantined, expiring_keys },
      };
    }),

    route(getDashboardUsage, async ({ principal, query }) => {
      const { project } = await shownProject(db, principal, query.project);
      return { body: await usage(query.period, project, new Date()) };
    }),

    route(contract.getAreaHealth, async () => ({ body: { items: await areaHealth() } })),

    route(contract.listActivity, async ({ query: { job_runs } }) => ({
      body: { items: await audit.newest(SHOWN_ACTIVITY, { withoutJobRuns: job_runs === 'hidden' }) },
    })),

    route(contract.getAddresses, () => {
      const { BASE_URL, RUNTIME_URL, PROMPT_API_URL } = config;
      return Promise.resolve({
        body: { base_url: BASE_URL, runtime_url: RUNTIME_URL, prompt_api_url: PROMPT_API_URL },
      });
    }),
  ];
}
