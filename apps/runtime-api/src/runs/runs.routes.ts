import type { Tx } from '@millwright/db';
import { route, type Reply, type Route } from '@millwright/http';
import * as contract from './runs.contract.js';
import type { Controlled } from './run-control.js';
import type { RunQueries } from './runs.queries.store.js';
import type { RunService } from './runs.service.js';

export function runRoutes(runs: RunQueries, service: Pick<RunService, 'control'>): Route[] {
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

    route(contract.cancelRun, ({ caller, params, commit }) =>
      controlled(commit, (tx) => service.control.cancel(tx, caller, params.run_id)),
    ),

    route(contract.decideRunOutcome, ({ caller, params, body, commit }) =>
      controlled(commit, (tx) => service.control.decideOutcome(tx, caller, params.run_id, body)),
    ),

    route(contract.putRunFeedback, ({ caller, params, body, commit }) =>
      commit(async (tx) => ({ body: await runs.rate(tx, caller, params.run_id, body) })),
    ),
  ];
}

/** Answers once the change is committed, and then lets follow what depends on it. */
async function controlled(
  commit: (work: (tx: Tx) => Promise<Reply>) => Promise<Reply>,
  change: (tx: Tx) => Promise<Controlled>,
): Promise<Reply> {
  let after = () => {};
  const reply = await commit(async (tx) => {
    const done = await change(tx);
    ({ after } = done);
    return { body: done.body };
  });
  after();
  return reply;
}
