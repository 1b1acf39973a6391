import { recordVerification, recordDecision } from '@millwright/audit';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import * as contract from './audit.contract.js';
import type { AuditStore } from './audit.store.js';
import { loadTrustedKeys } from './trusted-keys.js';

export function auditRoutes(db: Database, store: AuditStore, pinnedKeysFile: string | undefined): Route[] {
  return [
    route(contract.listDecisions, async ({ query: { page, per_page, job_runs, ...filters } }) => {
      const filter = { ...(await store.filterOf(filters)), withoutJobRuns: job_runs === 'hidden' };
      const { items, total } = await store.list(filter, page, per_page);
      return { body: { items, total, page, per_page } };
    }),

    route(contract.listActions, async () => ({ body: { items: await store.actions() } })),

    route(contract.getChain, async () => ({ body: await store.chain() })),

    route(contract.verifyChain, async (call) => {
      const { actor } = call.caller;
      const keys = await loadTrustedKeys(db, pinnedKeysFile);
      await recordVerification(db, keys);
      const chain = await store.chain();
      return call.commit(async (tx) => {
        const detail = { verified: chain.verified, faults: chain.faults.length, keys: keys.source };
        await recordDecision(tx, { actor, action: 'audit.verify', resource: 'audit', detail });
        return { body: chain };
      });
    }),

    route(contract.getDecision, async ({ params }) => {
      const found = await store.find(params.decision_id);
      if (!found) throw new AppError('not_found');
      return { body: found };
    }),
  ];
}
