import { route, type Route } from '@millwright/http';
import { commitChange } from '../commit-change.js';
import * as contract from './approvals.contract.js';
import type { ApprovalQueries } from './approvals.queries.store.js';
import type { ApprovalService } from './decide-approval.js';

export function approvalRoutes(
  approvals: ApprovalQueries,
  service: Pick<ApprovalService, 'prepare' | 'decide'>,
): Route[] {
  return [
    route(contract.listApprovals, async ({ caller, query }) => ({
      body: await approvals.list(caller, query),
      digest: true,
    })),

    route(contract.listRunApprovals, async ({ caller, params, query }) => ({
      body: await approvals.listOfRun(caller, params.run_id, query),
      digest: true,
    })),

    route(contract.decideApproval, async ({ caller, params, body, commit }) => {
      const prepared = await service.prepare(caller, params.run_id, params.approval_id, body);
      return commitChange(commit, (tx) => service.decide(tx, caller, prepared));
    }),
  ];
}
