import type { createRunBudgets } from '@millwright/budgets';
import { newId, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { auditQuotaRefusal } from '@millwright/http';
import type { ProjectModels } from '@millwright/models';
import { MOST_RUNS_OF_CONVERSATION, type KeyedRun, type RunStore } from '@millwright/runs';
import { isConcierge } from '../concierge/concierge.js';
import type { ContextStore } from '../conversations/contexts.store.js';
import { requireFits } from '../conversations/instructions.js';
import { unreadImages } from '@millwright/runs/message-images';
import type { createInputGuard } from '../tools/run-guards.js';
import type { PreparedRun, RunRequest, StartedRun, StoredRun } from './run-request.js';
import type { RunLimits, RunWorker } from './run-worker.js';

export interface RunStarterDeps {
  db: Database;
  models: ProjectModels;
  contexts: ContextStore;
  runs: RunStore;
  worker: RunWorker;
  limits: RunLimits;
  inputGuard: ReturnType<typeof createInputGuard>;
  runBudgets: ReturnType<typeof createRunBudgets>;
}

/** Checks messages and stores them with their runs. */
export function createRunStarter({
  db,
  models,
  contexts,
  runs,
  worker,
  limits,
  inputGuard,
  runBudgets,
}: RunStarterDeps) {
  /**
   * Checks a message before it is stored.
   *
   * @throws AppError validation_error for an inactive agent, a message too long for its model, or images that the model does not read;
   * agent_stopped for a stopped agent; guard_blocked when a guard blocks the message.
   */
  async function prepareRun(request: RunRequest): Promise<PreparedRun> {
    const { agent, agentField = 'agent_name', images = [] } = request;
    if (agent.status !== 'active') throw invalidField(agentField, 'is inactive');
    if (agent.is_stopped) throw new AppError('agent_stopped');
    const present = await models.of(request.caller.project);
    const model = agent.model ?? present.defaultModel;
    if (images.length > 0 && present.imageInput(model) === 'none') throw unreadImages(model);
    const guarded = await inputGuard.check(request);
    await requireFits(agent, guarded.content, present.contextWindow(model), images.length);
    return { ...request, ...guarded, model };
  }

  /**
   * Stores the message with its run, before the model is called. This process executes the run immediately, unless the run is queued. A run
   * is queued when another run of its conversation has not ended, when the project is at its limit of runs, or when there is no free place
   * (`worker.withPlaces`). A run for which a parent waits is never queued.
   *
   * @throws AppError not_found for an unknown conversation or a deleted agent; conflict when a run of the conversation waits for a person,
   * or too many of its runs have not ended; agent_stopped for a stopped agent.
   */
  async function storeRun(tx: Tx, prepared: PreparedRun, places = 0): Promise<StoredRun> {
    const { caller, agent, channel, model, idempotencyKey, metadata, retryOf, input, parent, depth } = prepared;
    const { budget, content, findings = [], draft } = prepared;
    const budgetId = budget && newId();
    const projectLimit = parent ? Infinity : limits.project;
    const context = await contexts.open(tx, caller, agent, prepared);
    // The id is made after the conversation was locked. The runs of a conversation start in the order of their ids, so the ids must have
    // the order of the messages.
    const { id = newId() } = prepared;
    const place = { project: caller.project, agentId: agent.id, contextId: context.id };
    const occupancy = await runs.occupancy(tx, place, projectLimit);
    const { projectRuns, contextState, contextRuns, isStopped } = occupancy;
    if (!occupancy.exists && !isConcierge(agent) && agent.draftId === undefined) throw new AppError('not_found');
    if (isStopped) throw new AppError('agent_stopped');
    if (contextState === 'waiting')
      throw new AppError('conflict', {
        fields: [{ field: 'context_id', reason: 'has a run that waits for a person' }],
      });
    if (contextRuns >= MOST_RUNS_OF_CONVERSATION)
      throw new AppError('conflict', {
        fields: [{ field: 'context_id', reason: `has ${contextRuns} runs that have not ended: wait for some of them` }],
      });
    const isFree = parent !== undefined || (contextState === null && projectRuns < projectLimit && places > 0);
    const subject = { kind: 'agent', id: agent.id, name: agent.slug, version: agent.version } as const;
    const run = {
      ...{ id, caller, subject, channel, model, idempotencyKey, metadata, retryOf, parent, depth, budgetId },
      ...{ contextId: context.id, messageId: context.messageId },
      // The draft is stored without a check by guards, because a process that continues the run must read the same agent again.
      input: draft
        ? { draft }
        : await inputGuard.protocolInput(prepared, input?.(id, context.id, content, context.images)),
    };
    const fence = await runs.start(tx, run, isFree ? worker.id : undefined);
    const { budgetId: ofRun, ...own } = fence;
    const owner = { id, project: caller.project, userId: caller.actor.userId };
    if (budget && budgetId !== undefined && ofRun === budgetId) await runBudgets.add(tx, budgetId, owner, budget);
    await inputGuard.record(tx, prepared, id, findings);
    await prepared.alongside?.(tx, id);
    return { ...prepared, id, context, fence: own, spends: { budgetId: ofRun } };
  }

  /** Begins to renew the lease of a committed run when this process executes the run. */
  function claimRun(stored: StoredRun): StartedRun {
    const { id, caller, agent, content, idempotencyKey, context, model, fence, spends, depth = 0 } = stored;
    const held = fence.attempt > 0 ? { fence, signal: worker.hold(fence, depth > 0), spends } : undefined;
    return { id, caller, agent, content, idempotencyKey, context, model, depth, held };
  }

  /** Restores a run that was started before. Returns `undefined` when its conversation was deleted. */
  async function startedRun(
    request: RunRequest,
    { id, contextId, messageId, model }: KeyedRun,
  ): Promise<StartedRun | undefined> {
    if (!contextId || !messageId) return undefined;
    const { caller, agent, content, idempotencyKey, depth } = request;
    const context = { id: contextId, messageId, history: [], images: [], begun: [] };
    const run = { id, caller, agent, content, idempotencyKey, depth, context };
    return { ...run, model: model ?? (await models.of(caller.project)).defaultModel, held: undefined };
  }

  /** Finds the run of an earlier attempt of the request. A retry waits for the answer of that run. */
  async function startedBefore(request: RunRequest): Promise<StartedRun | undefined> {
    const { caller, agent, idempotencyKey } = request;
    if (idempotencyKey === undefined) return undefined;
    const run = await runs.findKeyed(caller.actor.userId, agent.id, idempotencyKey);
    return run && startedRun(request, run);
  }

  /**
   * Checks the message and stores it with its run. A repeated Idempotency-Key returns the existing run.
   *
   * @throws AppError as `prepareRun` and `storeRun`
   */
  async function startRun(request: RunRequest): Promise<StartedRun> {
    const before = await startedBefore(request);
    if (before) return before;
    const prepared = await prepareRun(request);
    return worker.withPlaces(1, async (places) => {
      const storing = db.transaction((tx) => storeRun(tx, prepared, places));
      // A2A and the built-in MCP server have no router that would audit quota refusals.
      return claimRun(await storing.catch(auditQuotaRefusal(db, request.caller)));
    });
  }

  return { prepareRun, storeRun, claimRun, startRun };
}
