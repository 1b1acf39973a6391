import { createRunBudgets, type RunBudget, type Spending } from '@millwright/budgets';
import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { agentAtVersion, type RunnableAgent } from '@millwright/catalog';
import { decodeId, encodeId, isDatabaseFailure, newId, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { auditQuotaRefusal } from '@millwright/http';
import { createWork, type Logger, type Work } from '@millwright/http/process';
import type { ProjectModels } from '@millwright/models';
import {
  type Channel,
  type ClaimedRun,
  createRunNotifier,
  createRunStore,
  createStepStore,
  type EndState,
  type Fence,
  type Followed,
  followRun,
  hasEnded,
  MOST_RUNS_OF_CONVERSATION,
  type KeyedRun,
  type NewRun,
  runError,
  RunLost,
  type RunSignals,
} from '@millwright/runs';
import type { AskFilter, Finding, Guards } from '@millwright/guards';
import { findAgent } from '../agents/find-agent.js';
import type { ContextStore, OpenedContext } from '../conversations/contexts.store.js';
import { requireFits } from '../conversations/instructions.js';
import type { AgentMessage, Progress } from '../conversations/messages.contract.js';
import { createInputGuard } from '../guards/run-guards.js';
import type { AgentLoop } from './agent-loop.js';
import { createChildRuns } from './child-runs.js';
import { createEventWriter } from './event-writer.js';
import { createRunEnder } from './end-runs.js';
import { createBudgetWaits } from './budget-waits.js';
import { createJournal, NOTHING_KEPT, readKept, type KeptRun, type Spends } from './run-journal.js';
import { createRunControl } from './run-control.js';
import { RunWaits } from './run-waits.js';
import { createRunWorker, type RunLimits } from './run-worker.js';

/** One message of a user to an agent. */
export interface RunRequest {
  caller: Caller;
  agent: RunnableAgent;
  content: string;
  /** Conversation that the message continues; without an id, the message starts a new conversation. */
  contextId: string | undefined;
  channel: Channel;
  /** Id of the user's message that this one replaces, together with all after it. */
  replaces?: string | undefined;
  /** Shared by the retries of one request and by no other request. */
  idempotencyKey?: string | undefined;
  metadata?: object | undefined;
  /** The request field that names the agent. */
  agentField?: string | undefined;
  /** Row id of the run that this one repeats. */
  retryOf?: string | undefined;
  /** The author of the message when it is neither the user nor this installation: the run is then tainted. */
  source?: string | undefined;
  /** Number of ancestors of the run. */
  depth?: number | undefined;
  /** Budget of the run together with the runs of the agents that it calls. */
  budget?: RunBudget | undefined;
  /** Writes for the transaction that starts the run. */
  alongside?: ((tx: Tx, runId: string) => Promise<void>) | undefined;
  /** Protocol data that the channel stores with the run. */
  input?: ((runId: string, contextId: string, content: string) => object) | undefined;
}

/** A checked message, with the row id and the model of its run. */
export interface PreparedRun extends RunRequest {
  id: string;
  model: string;
  /** The guards' finds in the message. */
  findings?: readonly Finding[] | undefined;
  /** The guards that checked the message. */
  guards: Guards;
  /** The parent run, and its step that is the call of this run's agent. */
  parent?: NewRun['parent'];
}

/** A stored run whose transaction may not be committed yet. */
export interface StoredRun extends PreparedRun {
  context: OpenedContext;
  fence: Fence;
  spends: Spends;
}

/** A stored run; this process executes it unless it is queued. */
export interface StartedRun extends Pick<RunRequest, 'caller' | 'agent' | 'content' | 'idempotencyKey' | 'depth'> {
  /** Row id. */
  id: string;
  context: OpenedContext;
  model: string;
  /** Undefined: another process executes the run, or it is queued. */
  held: { fence: Fence; signal: AbortSignal; spends: Spends } | undefined;
}

export interface ExecuteOptions<Result> {
  /** Receives each step as it happens; the model then streams its text. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Whether followers can read the text while the model writes it; implied by `onProgress`. */
  isStreamed?: boolean | undefined;
  /** Builds the answer when the run starts to wait for a person; without this function, the wait is a `conflict`. */
  onWaiting?: ((runId: string) => Promise<Result>) | undefined;
  /** Stops waiting for a run that another process executes. */
  signal?: AbortSignal | undefined;
}

/** Runs `store` in a transaction, together with writes that belong to the caller's protocol. */
export type Commit<Result> = (store: (tx: Tx) => Promise<AgentMessage>) => Promise<Result>;

export interface RunServiceDeps {
  db: Database;
  models: ProjectModels;
  contexts: ContextStore;
  loop: AgentLoop;
  signals: Pick<RunSignals, 'watch'>;
  logger: Logger;
  work?: Work | undefined;
  limits: RunLimits;
  spending: Pick<Spending, 'reserve' | 'returnOf' | 'hasBudgets'>;
  /** Asks external guards. */
  askFilter: AskFilter;
}

/** Limits for a run that ends every process which executes it; both must be exceeded, which gives an overloaded machine time. */
const MOST_FRUITLESS_ATTEMPTS = 10;
const MOST_FRUITLESS_MS = 600_000;

/** The single way to run an agent: the message endpoint, A2A, the built-in MCP server and all other channels use it. */
export function createRunService(deps: RunServiceDeps) {
  const { db, models, contexts, loop, signals, logger, work = createWork(), limits, spending } = deps;
  const inputGuard = createInputGuard({ db, askFilter: deps.askFilter, work, logger });
  const runBudgets = createRunBudgets(db);
  const [runs, steps] = [createRunStore(db), createStepStore(db)];
  const worker = createRunWorker({ db, runs, signals, logger, work, limits });
  const notifier = createRunNotifier({
    db,
    onError: (err) => logger.warn({ err }, 'changes of runs were not notified'),
  });
  const writer = createEventWriter({
    write: async (batch) => {
      await runs.addEvents(batch);
      notifier.changed(batch.map(({ runId }) => runId));
    },
    onError: (err) => logger.warn({ err }, 'events of runs could not be stored'),
  });

  /**
   * Checks a message before it is stored.
   *
   * @throws AppError validation_error for an inactive agent or a message too long for its model; agent_stopped; guard_blocked.
   */
  async function prepareRun(request: RunRequest): Promise<PreparedRun> {
    const { agent, agentField = 'agent_name' } = request;
    if (agent.status !== 'active') throw invalidField(agentField, 'is stopped');
    if (agent.is_stopped) throw new AppError('agent_stopped');
    const present = await models.of(request.caller.project);
    const model = agent.model ?? present.defaultModel;
    const guarded = await inputGuard.check(request);
    await requireFits(agent, guarded.content, present.contextWindow(model));
    return { ...request, ...guarded, id: newId(), model };
  }

  /**
   * Stores the message with its run, before the model is called. This process executes the run at once, unless it is queued: behind
   * another run of its conversation, at the project's limit of runs, or without a free place (`worker.withPlaces`). A run that a parent
   * waits for is never queued.
   *
   * @throws AppError not_found for an unknown conversation; conflict when a run of the conversation waits for a person or too many have not ended; agent_stopped.
   */
  async function storeRun(tx: Tx, prepared: PreparedRun, places = 0): Promise<StoredRun> {
    const { id, caller, agent, channel, model, idempotencyKey, metadata, retryOf, input, parent, depth } = prepared;
    const { budget, content, findings = [] } = prepared;
    const budgetId = budget && newId();
    const projectLimit = parent ? Infinity : limits.project;
    const context = await contexts.open(tx, caller, agent, prepared);
    const place = { project: caller.project, agentId: agent.id, contextId: context.id };
    const { projectRuns, contextState, contextRuns, isStopped } = await runs.occupancy(tx, place, projectLimit);
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
      input: await inputGuard.protocolInput(prepared, input?.(id, context.id, content)),
    };
    const fence = await runs.start(tx, run, isFree ? worker.id : undefined);
    const { budgetId: ofRun, ...own } = fence;
    const owner = { id, project: caller.project, userId: caller.actor.userId };
    if (budget && budgetId !== undefined && ofRun === budgetId) await runBudgets.add(tx, budgetId, owner, budget);
    await inputGuard.record(tx, prepared, id, findings);
    await prepared.alongside?.(tx, id);
    return { ...prepared, context, fence: own, spends: { budgetId: ofRun } };
  }

  /** Takes up the lease of a committed run when this process executes it. */
  function claimRun(stored: StoredRun): StartedRun {
    const { id, caller, agent, content, idempotencyKey, context, model, fence, spends, depth = 0 } = stored;
    const held = fence.attempt > 0 ? { fence, signal: worker.hold(fence, depth > 0), spends } : undefined;
    return { id, caller, agent, content, idempotencyKey, context, model, depth, held };
  }

  /** Restores a run that was started before; `undefined` when its conversation was deleted. */
  async function startedRun(
    request: RunRequest,
    { id, contextId, messageId, model }: KeyedRun,
  ): Promise<StartedRun | undefined> {
    if (!contextId || !messageId) return undefined;
    const { caller, agent, content, idempotencyKey, depth } = request;
    const context = { id: contextId, messageId, history: [], begun: [] };
    const run = { id, caller, agent, content, idempotencyKey, depth, context };
    return { ...run, model: model ?? (await models.of(caller.project)).defaultModel, held: undefined };
  }

  /** Finds the run of an earlier attempt of the request: a retry waits for that run's answer. */
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
      // A2A and the built-in MCP server have no router that audits quota refusals.
      return claimRun(await storing.catch(auditQuotaRefusal(db, request.caller)));
    });
  }

  interface Execution extends Omit<StartedRun, 'held' | 'id'> {
    fence: Fence;
    signal: AbortSignal;
    spends: Spends;
    kept: KeptRun;
    isStreamed: boolean;
    startsTrace: boolean;
    /** Whether the run keeps a copy of its answer for the prompt API, which does not read the conversations of agents. */
    keepsAnswer?: boolean;
    onProgress?: ((progress: Progress) => void) | undefined;
  }

  /** @throws AppError, RunLost, RunWaits */
  async function execute<Result>(run: Execution, commit: Commit<Result>): Promise<Result> {
    const { fence, signal, caller, agent, context, content, model, idempotencyKey, kept, onProgress } = run;
    const { isStreamed, startsTrace, spends, depth = 0 } = run;
    const { runId } = fence;
    const requireLease = () => worker.requireLease(fence);
    const journalRun = { fence, caller, agent, contextId: context.id, spends, requireLease };
    const journal = createJournal({ db, contexts, runs, steps, spending, runBudgets }, journalRun);
    const recorder = writer.open(fence);
    const report = (progress: Progress) => {
      recorder.report(progress);
      onProgress?.(progress);
    };
    try {
      const request = {
        caller,
        agent,
        context,
        content,
        model,
        idempotencyKey,
        journal,
        kept,
        isStreamed,
        signal,
        startsTrace,
        callAgent: callAgentOf({ fence, caller, depth }),
      };
      const answer = await loop.run({ ...request, onProgress: report });
      const events = await recorder.rest();
      const result = await commit((tx) =>
        journal.complete(tx, answer, { events, ...(run.keepsAnswer && { output: answer.text }) }),
      );
      notifier.ended(runId);
      return result;
    } catch (thrown) {
      const error = await namingDeletion(thrown, run);
      const events = await recorder.rest();
      if (signal.aborted || error instanceof RunLost) throw new RunLost();
      if (error instanceof RunWaits) {
        await db.transaction(async (tx) => {
          await runs.wait(tx, fence, error.reason, error.data);
          await error.alongside(tx);
        });
        notifier.changed([runId]);
        if (error.reason === 'budget') budgetWaits.watch();
        throw error;
      }
      // Without the database the run stays unchanged: a process takes it again, at the latest once its lease has expired.
      if (isDatabaseFailure(error)) {
        logger.warn({ err: error }, 'a run is given up because the database did not answer');
        await runs.giveUp(fence).catch(() => undefined);
        throw new RunLost();
      }
      await journal.fail(runError(error), context.messageId, { events }).catch((err: unknown) => {
        if (!(err instanceof RunLost)) logger.warn({ err }, 'the failure of a run could not be stored');
      });
      notifier.ended(runId);
      throw error;
    } finally {
      worker.letGo(fence);
    }
  }

  /** Returns the failure; `agent_deleted` when the agent was deleted in the meantime. */
  async function namingDeletion(error: unknown, { caller, agent }: Pick<Execution, 'caller' | 'agent'>) {
    if (!(error instanceof AppError) || error.code !== 'not_found') return error;
    const present = await findAgent(db, caller.project, agent.slug);
    return present?.id === agent.id
      ? error
      : new AppError('agent_deleted', { cause: new Error('The agent was deleted.') });
  }

  /** Waits for the end of a run that another process executes. */
  async function awaitEnd<Result>(
    { id, agent }: Pick<StartedRun, 'id' | 'agent'>,
    { onProgress, onWaiting, signal }: Pick<ExecuteOptions<Result>, 'onProgress' | 'onWaiting' | 'signal'>,
    commit: Commit<Result>,
  ): Promise<Result> {
    let last: Followed | undefined;
    for await (const part of followRun({ runs, signals }, id, 0, signal ?? new AbortController().signal)) {
      last = part;
      for (const event of part.events)
        if (isProgress(event)) onProgress?.({ event: event.type, data: event.data } as Progress);
      if (part.status.state === 'waiting') break;
    }
    const { state, answerId, errorCode, waitingFor } = last?.status ?? {};
    if (state === 'completed' && answerId)
      return commit(async (tx) => {
        const message = await contexts.findAnswer(tx, agent, answerId);
        if (!message) throw new AppError('not_found');
        return message;
      });
    if (state === 'failed') throw new AppError(isGone(errorCode) ? 'not_found' : codeOf(errorCode));
    if (state === 'waiting' && onWaiting) return onWaiting(id);
    const reason = state === 'waiting' ? `waits: ${String(waitingFor)}` : 'was canceled';
    throw new AppError('conflict', { fields: [{ field: 'run', reason }] });
  }

  /**
   * Runs the agent and stores its answer, or waits for the answer when another process executes the run.
   *
   * @throws AppError unavailable; conflict when the run was canceled or waits; not_found when the agent was deleted meanwhile.
   */
  async function executeRun<Result>(
    run: StartedRun,
    { onProgress, onWaiting, signal, isStreamed = onProgress !== undefined }: ExecuteOptions<Result>,
    commit: Commit<Result>,
  ): Promise<Result> {
    const { held, context, agent } = run;
    const ids = { context_id: encodeId('ctx', context.id), run_id: encodeId('run', run.id) };
    onProgress?.({ event: 'message.started', data: { agent: agent.slug, ...ids } });
    try {
      if (!held) return await awaitEnd(run, { onProgress, onWaiting, signal }, commit);
      return await execute(
        { ...run, ...held, kept: NOTHING_KEPT, isStreamed, onProgress, startsTrace: false },
        commit,
      ).catch((error: unknown) => {
        if (error instanceof RunLost || error instanceof RunWaits) return awaitEnd(run, { onWaiting, signal }, commit);
        throw error;
      });
    } catch (error) {
      throw namingContext(
        error instanceof AppError && isGone(error.code) ? new AppError('not_found') : error,
        context.id,
      );
    }
  }

  /** Continues a run that this process has taken: a queued run, a run whose process died, or a run that waited. */
  async function continueRun(claimed: ClaimedRun, signal: AbortSignal): Promise<void> {
    const { runId, attempt, caller, subject, contextId, messageId, idempotencyKey, depth } = claimed;
    const fence = { runId, attempt };
    notifier.changed([runId]);
    const endAs = async (state: EndState, change: Parameters<typeof runs.end>[3]) => {
      const below = await db.transaction((tx) => runs.end(tx, fence, state, change));
      for (const id of [runId, ...below]) notifier.ended(id);
    };
    try {
      const present = await findAgent(db, caller.project, subject.name);
      const agent = present && (await agentAtVersion(db, present, subject.version));
      const user = await db.prisma.user.findUnique({ where: { id: caller.actor.userId }, select: { status: true } });
      if (claimed.isTakenOver) await db.transaction((tx) => steps.markUnknown(tx, fence));
      const triggerId = claimed.trigger === null ? undefined : decodeId('trg', claimed.trigger);
      const spends = { budgetId: claimed.budgetId, triggerId };
      if (claimed.isTakenOver && (spends.budgetId !== null || (await spending.hasBudgets(caller.project))))
        await spending.returnOf(runId, attempt);
      const kept = readKept(await steps.list(runId));
      const context = contextId && messageId ? await contexts.reopen(contextId, messageId, kept.stored) : undefined;
      if (agent?.id !== subject.id) {
        await endAs('failed', { error: { code: 'agent_deleted', text: 'The agent was deleted.' } });
        return;
      }
      if (agent.is_stopped) {
        await endAs('canceled', { data: { reason: 'agent_stopped' } });
        return;
      }
      if (!context) {
        await endAs('failed', { error: { code: 'not_found', text: 'The conversation was deleted.' } });
        return;
      }
      const quietMs = Date.now() - (kept.lastAt ?? claimed.startedAt).getTime();
      if (attempt - kept.attempt > MOST_FRUITLESS_ATTEMPTS && quietMs > MOST_FRUITLESS_MS) {
        const text = `More than ${MOST_FRUITLESS_ATTEMPTS} processes in a row ended before they had finished a step.`;
        await endAs('failed', { error: { code: 'unavailable', text } });
        return;
      }
      if (agent.status !== 'active' || user?.status !== 'active') {
        await endAs('failed', {
          error: { code: 'forbidden', text: 'The agent is inactive, or the account is not active.' },
        });
        return;
      }
      if (context.answer !== undefined) {
        await endAs('completed', { answerId: context.answer });
        return;
      }
      const model = claimed.model ?? agent.model ?? (await models.of(caller.project)).defaultModel;
      await execute(
        {
          ...{ fence, signal, spends, caller, agent, context, content: context.content, model, kept, isStreamed: true },
          idempotencyKey: idempotencyKey ?? undefined,
          ...{ depth, startsTrace: true, keepsAnswer: claimed.channel === 'chat' || claimed.channel === 'responses' },
        },
        (store) => db.transaction(store),
      );
    } catch (error) {
      if (error instanceof RunLost || error instanceof RunWaits) return;
      logger[error instanceof AppError && error.code === 'unavailable' ? 'warn' : 'error'](
        { err: error },
        'a run failed',
      );
    }
  }

  /** Cancels a run, audited, in whichever process it is executed. @returns whether this call ended the run */
  async function cancelRun(caller: Caller, runId: string, audit: { action: string; resource: string; detail: object }) {
    const canceled = await db.transaction(async (tx) => {
      const ended = await runs.cancel(tx, runId);
      if (ended.length > 0) await recordDecision(tx, { ...caller, ...audit, detail: { ...audit.detail } });
      return ended;
    });
    canceled.forEach(notifier.ended);
    return canceled.length > 0;
  }

  /** Executes a run whose request is already answered, as soon as its transaction is committed. */
  function runOn(stored: StoredRun): void {
    const executed = executeRun<unknown>(
      claimRun(stored),
      { isStreamed: true, onWaiting: () => Promise.resolve() },
      (store) => db.transaction(store),
    );
    const reported = executed.catch((err: unknown) => {
      logger.warn({ err }, 'a run has no answer');
    });
    void work.track(reported);
  }

  /** Waits until a run in any process has ended or waits for a person, or until the signal aborts. */
  async function settle(runId: string, signal: AbortSignal): Promise<void> {
    for await (const { status } of followRun({ runs, signals }, runId, 0, signal))
      if (status.state === 'waiting') return;
  }

  const budgetWaits = createBudgetWaits({ db, runs, runBudgets, worker, logger });

  const ender = createRunEnder({ db, runs, notifier, logger });

  const control = createRunControl({ runs, steps, worker, notifier });
  const childDeps = { db, runs, contexts, worker, work, mostDepth: limits.depth };
  const callAgentOf = createChildRuns({ ...childDeps, prepareRun, storeRun, claimRun, startedRun, executeRun });

  return {
    prepareRun,
    storeRun,
    runOn,
    settle,
    startRun,
    executeRun,
    cancelRun,
    control,

    /** Starts a run and stores its answer in a transaction of its own. */
    async ask(request: RunRequest, options: ExecuteOptions<AgentMessage> = {}): Promise<AgentMessage> {
      return executeRun(await startRun(request), options, (store) => db.transaction(store));
    },

    /** Yields the events of a run after `seq`, executed in any process, until the run has ended. */
    followRun: (runId: string, seq: number, signal: AbortSignal) => followRun({ runs, signals }, runId, seq, signal),

    /** Starts to take queued runs, and runs of processes that died. */
    start: () => {
      worker.start(continueRun);
      ender.start();
      budgetWaits.start();
    },
    close: async () => {
      budgetWaits.close();
      await ender.close();
      await worker.close();
    },
    /** Scans for runs whose budget may have room again. */
    lookForBudgets: () => budgetWaits.watch(),
    /** For operations on runs of this folder. */
    parts: { runs, steps, worker, notifier, work, ender, hasEnded },
  };
}
export type RunService = ReturnType<typeof createRunService>;

const isGone = (code: string | null | undefined) => code === 'not_found' || code === 'agent_deleted';

/** The error code for a run's failure, in a process that did not execute the run. */
const codeOf = (code: string | null | undefined) => (code === 'guard_blocked' ? code : 'unavailable');

const isProgress = ({ type }: { type: string }) =>
  type === 'message.delta' || type === 'tool.call' || type === 'tool.result';

/** Response header of a failure: the conversation in which the message is stored. */
export const CONTEXT_HEADER = 'X-Context-Id';

/** The failure of a run, with the conversation that a retry continues; without a conversation when the agent was deleted. */
function namingContext(error: unknown, contextId: string): unknown {
  if (!(error instanceof AppError) || error.code === 'not_found') return error;
  const { code, fields, retryAfter, headers } = error;
  return new AppError(code, {
    cause: error,
    fields,
    ...(retryAfter !== undefined && { retryAfter }),
    headers: { ...headers, [CONTEXT_HEADER]: encodeId('ctx', contextId) },
  });
}
