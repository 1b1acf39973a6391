import { route, type Route } from '@millwright/http';
import * as contract from './runs.contract.js';
import type { RunQueries } from './runs.queries.store.js';

export function runRoutes(runs: RunQueries): Route[] {
  return [
    route(contract.listRuns, async ({ caller, query }) => ({ body: await runs.list(caller, query), digest: true })),

    route(contract.getRun, async ({ caller, params }) => ({
      body: await runs.find(caller, params.run_id),
      digest: true,
    })),

    route(contract.listRunSteps, async ({ caller, params, query }) => ({
      body: await runs.steps(caller, params.run_id, query),
      digest: true,
    })),

    route(contract.getRunStep, async ({ caller, params }) => ({
      body: await runs.step(caller, params.run_id, params.seq),
      digest: true,
    })),

    route(contract.putRunFeedback, ({ caller, params, body, commit }) =>
      commit(async (tx) => ({ body: await runs.rate(tx, caller, params.run_id, body) })),
    ),
  ];
}
