import { approveOAuthClient, withdrawApproval } from '@millwright/accounts';
import { route, type Route } from '@millwright/http';
import * as contract from './applications.contract.js';
import type { ApplicationStore } from './applications.store.js';

/** `/admin/api/applications`: OAuth clients of the installation, for admins. */
export function applicationRoutes(applications: ApplicationStore): Route[] {
  return [
    route(contract.listApplications, async ({ query }) => {
      const { page, per_page } = query;
      return { body: { ...(await applications.list(query)), page, per_page } };
    }),

    route(contract.approveApplication, ({ params, caller, commit }) =>
      commit(async (tx) => {
        await approveOAuthClient(tx, params.application_id, caller.actor);
        return {};
      }),
    ),

    route(contract.withdrawApplicationApproval, ({ params, caller, commit }) =>
      commit(async (tx) => {
        await withdrawApproval(tx, params.application_id, caller.actor);
        return {};
      }),
    ),
  ];
}
