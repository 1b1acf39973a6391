import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import type { Scheduler } from '@millwright/jobs';
import * as contract from './audit.contract.js';
import type { AuditStore } from './audit.store.js';
import { loadTrustedKeys } from './trusted-keys.js';
import { verifyFirstPart } from './verify-in-parts.js';

export interface AuditRoutesDeps {
  db: Database;
  store: AuditStore;
  scheduler: Pick<Scheduler, 'jobs' | 'request'>;
  pinnedKeysFile: string | undefined;
}

export function auditRoutes({ db, store, scheduler, pinnedKeysFile }: AuditRoutesDeps): Route[] {
  return [
    route(contract.listDecisions, async ({ query: { page, per_page, job_runs, ...filters } }) => {
      const filter = { ...(await store.filterOf(filters)), withoutJobRuns: job_runs === 'hidden' };
      const { items, total } = await store.list(filter, page, per_page);
      return { body: { items, total, page, per_page } };
    }),

    route(contract.listActions, async () => ({ body: { items: await store.actions() } })),

    route(contract.getChain, async () => ({ body: await store.chain() })),

    route(contract.verifyChain, async (call) => {
      const write = await verifyFirstPart(db, await loadTrustedKeys(db, pinnedKeysFile), scheduler);
      return call.commit(async (tx) => {
        await write(tx, call.caller.actor);
        return { body: await store.chain(tx) };
      });
    }),

    route(contract.getDecision, async ({ params }) => {
      const found = await store.find(params.decision_id);
      if (!found) throw new AppError('not_found');
      return { body: found };
    }),
  ];
}
