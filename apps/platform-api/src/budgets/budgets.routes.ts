import { reply, requireFound, route, type Route } from '@millwright/http';
import { listReply } from '../lists/list-reply.js';
import * as contract from './budgets.contract.js';
import type { BudgetStore } from './budgets.store.js';

export function budgetRoutes(budgets: BudgetStore): Route[] {
  return [
    route(contract.listBudgets, async ({ caller, query }) =>
      listReply('/api/v1/budgets', query, await budgets.list(caller.project, query)),
    ),

    route(contract.createBudget, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const created = await budgets.create(tx, caller, body);
        return { ...reply(created), headers: { Location: `/api/v1/budgets/${created.record.id}` } };
      }),
    ),

    route(contract.listOwnBudgets, async ({ caller }) => ({ body: { items: await budgets.listOwn(caller) } })),

    route(contract.listBudgetSubjects, async ({ caller, query }) => ({
      body: { items: await budgets.listSubjects(caller.project, query) },
    })),

    route(contract.getBudget, async ({ caller, params }) =>
      reply(requireFound(await budgets.find(caller.project, params.budget_id))),
    ),

    route(contract.updateBudget, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => reply(await budgets.change(tx, caller, { id: params.budget_id, ifMatch }, body))),
    ),

    route(contract.deleteBudget, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await budgets.remove(tx, caller, { id: params.budget_id, ifMatch });
        return {};
      }),
    ),
  ];
}
