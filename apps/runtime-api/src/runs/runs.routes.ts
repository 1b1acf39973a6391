import { agentAtVersion } from '@millwright/catalog';
import type { Database } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { requirePerson } from '@millwright/runs/approvals';
import { findAgent, requireAgent } from '../agents/find-agent.js';
import { readGivenImages } from '../conversations/given-images.js';
import { commitChange } from './commit-change.js';
import * as contract from './runs.contract.js';
import { followEvents } from './follow-events.js';
import type { RunQueries } from './runs.queries.store.js';
import type { RunService } from './runs.service.js';
import { acceptRun, waitAsPreferred, type StartDeps } from './start-run.js';

export function runRoutes(
  db: Database,
  runs: RunQueries,
  service: StartDeps['service'] & Pick<RunService, 'control' | 'followRun' | 'parts'>,
  /** Aborts shortly before the process ends, so that followers reconnect to another process. */
  draining?: AbortSignal,
): Route[] {
  const deps = { service, queries: runs };
  return [
    route(contract.startRun, async ({ caller, body, headers, commit, idempotencyKey, signal }) => {
      const { agent: name, content, context_id: contextId, metadata, budget } = body;
      const agent = await findAgent(db, caller.project, name);
      if (!agent) throw invalidField('agent', 'does not exist');
      const message = {
        content,
        images: readGivenImages(body.images, contextId),
        contextId,
        metadata,
        budget,
        idempotencyKey,
        agentField: 'agent',
        channel: 'messages' as const,
      };
      const reply = await acceptRun(deps, { caller, agent, ...message }, commit);
      return waitAsPreferred(deps, caller, reply, { ...headers, signal });
    }),

    route(contract.retryRun, async ({ caller, params, body, headers, commit, idempotencyKey, signal }) => {
      const { uuid: retryOf, agent: name, version, ...message } = await runs.findRetried(caller, params.run_id);
      const present = await requireAgent(db, caller.project, name);
      const agent = body.version === 'same' ? await agentAtVersion(db, present, version) : present;
      if (body.version === 'same' && agent.version !== version)
        throw new AppError('conflict', { fields: [{ field: 'version', reason: 'is not kept any more' }] });
      const budget = body.budget ?? message.budget;
      const request = { caller, agent, ...message, budget, retryOf, idempotencyKey, channel: 'messages' as const };
      const reply = await acceptRun(deps, request, commit);
      return waitAsPreferred(deps, caller, reply, { ...headers, signal });
    }),

    route(contract.listRuns, async ({ caller, query }) => ({ body: await runs.list(caller, query), digest: true })),

    route(contract.getRun, async ({ caller, params }) => ({
      body: await runs.find(caller, params.run_id),
      digest: true,
    })),

    route(contract.followRun, async ({ caller, params, headers, feed, signal }) => {
      const runId = await runs.requireVisible(caller, params.run_id);
      const after = Number(headers['last-event-id'] ?? 0);
      return followEvents(service, {
        runId,
        after,
        feed,
        signal: draining ? AbortSignal.any([signal, draining]) : signal,
      });
    }),

    route(contract.listRunSteps, async ({ caller, params, query }) => ({
      body: await runs.steps(caller, params.run_id, query),
      digest: true,
    })),

    route(contract.getRunStep, async ({ caller, params }) => ({
      body: await runs.step(caller, params.run_id, params.seq),
      digest: true,
    })),

    route(contract.cancelRun, ({ caller, params, commit }) =>
      commitChange(commit, (tx) => service.control.cancel(tx, caller, params.run_id)),
    ),

    route(contract.decideRunOutcome, async ({ caller, params, body, commit }) => {
      await requirePerson(db, caller, 'run.outcome', params.run_id);
      return commitChange(commit, (tx) => service.control.decideOutcome(tx, caller, params.run_id, body));
    }),

    route(contract.putRunFeedback, ({ caller, params, body, commit }) =>
      commit(async (tx) => ({ body: await runs.rate(tx, caller, params.run_id, body) })),
    ),
  ];
}
