import { route, type Route } from '@millwright/http';
import { encodeId } from '@millwright/db';
import { recordRun } from '../runs/runs.store.js';
import { runEvents } from '../runs/run-events.js';
import { runDraft } from './draft-runs.contract.js';
import type { DraftRuns } from './draft-runs.service.js';
import { renderDraft } from './drafts.contract.js';
import type { DraftService } from './drafts.service.js';

export function draftRoutes(drafts: DraftService, runs: DraftRuns): Route[] {
  return [
    route(renderDraft, async ({ principal, body, commit, idempotencyKey }) => {
      const reply = { body: await drafts.check(principal, body) };
      // The request changes nothing: only an answer stored under an Idempotency-Key needs a transaction.
      return idempotencyKey === undefined ? reply : commit(() => Promise.resolve(reply));
    }),

    route(
      runDraft,
      async ({ caller, principal, body, commit, idempotencyKey, events }) => {
        const outcome = await runs.run({ caller, principal, body, idempotencyKey, progress: events });
        const { answer, run, faults, warnings, structuredData: structured_data } = outcome;
        const { completion: metadata, costUsd: cost_usd } = answer;
        const data = { content: answer.refusal || answer.text, structured_data };
        const store = () =>
          commit(async (tx) => {
            await recordRun(tx, caller, run, answer, undefined, { channel: 'draft' });
            const result = { run: encodeId('run', run.fence.runId), success: faults.length === 0, data, metadata };
            return { body: { ...result, warnings, cost_usd } };
          });
        return run.store(store);
      },
      runEvents,
    ),
  ];
}
