import { recordDenial } from '@millwright/audit';
import type { Caller, Scope } from '@millwright/auth';
import { ATTACHING, findRunnableAgent, slugify, type AgentDraft, type RunnableAgent } from '@millwright/catalog';
import { findDeletedAgentNamed } from '@millwright/catalog/deleted-agents';
import { encodeId, idFor, newId, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { createGuards, recordFindings, recordInputFindings, type AskFilter, type Finding } from '@millwright/guards';
import type { Logger } from '@millwright/http/process';
import { answerShare, fitsTokens, type ProjectModels } from '@millwright/models';
import {
  createRunNotifier,
  createRunStore,
  followRun,
  readerOf,
  type RunSignals,
  type RunStatus,
} from '@millwright/runs';
import {
  createDecisionStore,
  decideApproval,
  requireMayApprove,
  type PendingCall,
  type PreparedDecision,
} from '@millwright/runs/approvals';
import { unreadImages } from '@millwright/runs/message-images';
import type { HistoryMessage } from '../runs/fit-history.js';
import type { AgentMessage } from './agent-messages.js';
import { createAgentRunStore, type AgentAnswer, type KeptMessage } from './agent-runs.store.js';

export interface AgentRunsDeps {
  db: Database;
  models: ProjectModels;
  signals: Pick<RunSignals, 'watch'>;
  /** Sends content to external guards. */
  askFilter: AskFilter;
  logger: Pick<Logger, 'warn'>;
}

/** Names of the operations in the audit log, by channel. */
const OPERATIONS = { chat: 'createChatCompletion', responses: 'createResponse' } as const;

/** The messages that a client sends to an agent. */
export interface AgentRequest {
  caller: Caller;
  slug: string;
  /** Messages of the user and the agent, oldest first; the last message is the user's. */
  messages: readonly AgentMessage[];
  idempotencyKey: string | undefined;
  channel: 'chat' | 'responses';
  onText: ((delta: string) => void) | undefined;
  signal: AbortSignal;
}

export interface AnsweredAgent extends AgentAnswer {
  /** Public id of the run. */
  run: string;
}

/** The answer of an agent, or the tool calls for whose decisions the run of the agent waits. */
export interface SettledAgent extends AnsweredAgent {
  pending: readonly PendingCall[];
}

/** A request for a model or a prompt with tools of MCP servers. It is executed as an agent that is not saved. */
export interface UnsavedRequest {
  caller: Caller;
  draft: AgentDraft & { model: string };
  /** Messages that the guards have checked, oldest first; the last message is the user's. */
  messages: readonly KeptMessage[];
  idempotencyKey: string | undefined;
}

/** A run that is ready to be stored. The caller calls `start` in a transaction, and `queue` after the commit. */
export interface PreparedAgentRun {
  /** Row id of the run. */
  id: string;
  /** Whether an earlier attempt of the request has started the run. */
  isStarted: boolean;
  start: (tx: Tx) => Promise<void>;
  queue: () => void;
}

/**
 * Decisions that are ready to be stored. The caller calls `decide` in a transaction, and `goOn` after the commit. The run continues once all its
 * calls are decided.
 */
export interface PreparedDecisions {
  /** Row id of the run. */
  id: string;
  /** @throws AppError forbidden; conflict for a call that is decided or overdue */
  decide: (tx: Tx) => Promise<void>;
  goOn: () => void;
}

/** Decisions about tool calls of one run. */
export interface AgentDecisions {
  caller: Caller;
  slug: string;
  /**
   * UUID of the response that requested the decisions. It is the UUID of the run. If that response was itself created by decisions, it is the UUID of
   * the first approval that they decided, which can belong to a descendant of the run.
   */
  previous: string;
  decisions: readonly AgentDecision[];
}

export interface AgentDecision {
  /** Row id of the approval that is decided. */
  approvalId: string;
  /** Path of the field of the request that contains the id, for errors. */
  field: string;
  approve: boolean;
  reason: string | undefined;
}

/**
 * Runs agents for clients that name an agent as the model. These functions queue a run and follow it. A process of the runtime API executes the run
 * with the instructions, the knowledge and the tools of the agent.
 */
export function createAgentRuns({ db, models, signals, askFilter, logger }: AgentRunsDeps) {
  const runs = createRunStore(db);
  const store = createAgentRunStore(db);
  const approvals = createDecisionStore(db);
  const notifier = createRunNotifier({
    db,
    onError: (err) => logger.warn({ err }, 'changes of runs were not notified'),
  });

  /** Refuses a caller without one of these scopes. @throws AppError forbidden, which is recorded and names the first missing scope */
  async function requireScopes(
    { actor, project, scopes }: Caller,
    needed: readonly Scope[],
    resource: string,
    action: string,
  ): Promise<void> {
    const missing = needed.find((scope) => !scopes?.has(scope));
    if (missing === undefined) return;
    await recordDenial(db, { actor, project, action, resource: resource.slice(0, 500) }, `scope ${missing} is missing`);
    throw new AppError('forbidden', { fields: [{ field: 'scope', reason: `${missing} is missing` }] });
  }

  /**
   * Returns an agent to which the caller may send messages. With `ofRun`, the agent may have been deleted since its run began.
   *
   * @throws AppError forbidden, not_found, validation_error for an inactive agent, agent_stopped
   */
  async function requireAgent(
    caller: Caller,
    slug: string,
    operation: string,
    { ofRun = false } = {},
  ): Promise<RunnableAgent> {
    await requireScopes(caller, ['agents:message'], `agent/${slug}`, operation);
    const agent = await findRunnableAgent(db, caller.project, slug);
    const deleted = agent || !ofRun ? undefined : await findDeletedAgentNamed(db, caller.project, slug);
    if (deleted) return deleted;
    if (!agent) throw new AppError('not_found');
    if (agent.status !== 'active') throw invalidField('model', 'is inactive');
    if (agent.is_stopped) throw new AppError('agent_stopped');
    return agent;
  }

  /** Returns the messages as the guards allow them. @throws GuardBlocked, after the finds are recorded */
  async function guarded(caller: Caller, agent: RunnableAgent, messages: readonly AgentMessage[]) {
    const findings: Finding[] = [];
    const place = { caller, resource: encodeId('ag', agent.id), detail: { agent: agent.slug } };
    const guards = createGuards(agent.guard_policies, (_point, found) => void findings.push(...found), askFilter);
    const isAnswer = ({ role }: AgentMessage) => role === 'assistant';
    const contents = (all: readonly AgentMessage[]) => all.map(({ content }) => content);
    const input = await guards.value('input', contents(messages.filter((message) => !isAnswer(message))));
    if (input.blocked) {
      await recordFindings(db, place, 'input', findings);
      throw input.blocked;
    }
    const output = await guards.value('output', contents(messages.filter(isAnswer)));
    const [asked, answered] = [input.value.values(), output.value.values()];
    const allowed = messages.map((message) => ({
      ...message,
      content: (isAnswer(message) ? answered : asked).next().value ?? '',
    }));
    return { allowed, findings, place };
  }

  /** @throws AppError validation_error for `field` when the messages exceed the model's window, and for an unknown model */
  async function requireFits(
    { project }: Caller,
    model: string,
    messages: readonly (Pick<HistoryMessage, 'role' | 'content'> & { images?: readonly unknown[] | undefined })[],
    field: string,
  ): Promise<void> {
    const window = (await models.of(project)).contextWindow(model);
    // Only the number of images is relevant here, not their content.
    const counted = messages.map(({ images, ...message }) => ({
      ...message,
      images: images?.map(() => ({ url: '' })),
    }));
    if (await fitsTokens(window - answerShare(window), counted)) return;
    throw invalidField(
      field,
      `the last message is too long: with the instructions, the model's window holds ${window} tokens`,
    );
  }

  /** Queues a run. @returns the UUID of the run @throws AppError forbidden, not_found, validation_error, agent_stopped, guard_blocked */
  async function start({ caller, slug, messages, idempotencyKey: key, channel }: AgentRequest): Promise<string> {
    const agent = await requireAgent(caller, slug, OPERATIONS[channel]);
    const before = key === undefined ? undefined : await runs.findKeyed(caller.actor.userId, agent.id, key);
    if (before) return before.id;
    const present = await models.of(caller.project);
    const model = agent.model ?? present.defaultModel;
    const field = channel === 'chat' ? 'messages' : 'input';
    if (messages.some(({ images }) => images) && present.imageInput(model) === 'none') throw unreadImages(model, field);
    await requireFits(caller, model, messages.slice(-1), field);
    const { allowed, findings, place } = await guarded(caller, agent, messages);
    const id = newId();
    await db.transaction(async (tx) => {
      const { contextId, messageId } = await store.begin(tx, caller, agent, allowed);
      const { isStopped, exists } = await runs.occupancy(
        tx,
        { project: caller.project, agentId: agent.id, contextId },
        Infinity,
      );
      if (!exists) throw new AppError('not_found');
      if (isStopped) throw new AppError('agent_stopped');
      const subject = { kind: 'agent', id: agent.id, name: agent.slug, version: agent.version } as const;
      const run = { id, caller, subject, channel, model, contextId, messageId, idempotencyKey: key };
      await runs.start(tx, run, undefined);
      await recordInputFindings(tx, place, findings);
    });
    notifier.queued(id);
    return id;
  }

  /**
   * Follows a run until it has ended, or until the run or one of its descendants waits. A wait for calls that are already decided or overdue is
   * ignored, because the run is about to continue.
   */
  async function follow(id: string, { onText, signal }: Pick<AgentRequest, 'onText' | 'signal'>) {
    let status: RunStatus | undefined;
    let pending: readonly PendingCall[] = [];
    for await (const part of followRun({ runs, signals }, id, 0, signal)) {
      ({ status } = part);
      for (const { type, data } of part.events)
        if (type === 'message.delta') onText?.((data as { delta: string }).delta);
      if (!(await runs.waitsForOthers(status))) continue;
      pending = await approvals.listPending(id);
      if (status.waitingFor !== 'approval' || pending.length > 0) break;
    }
    return { status, pending };
  }

  /** Returns the outcome of a run that is completed or waits for decisions; `undefined` when the run has no such outcome. */
  async function settledAs(
    { id, state }: RunStatus,
    pending: readonly PendingCall[],
  ): Promise<SettledAgent | undefined> {
    const run = encodeId('run', id);
    if (state === 'waiting' && pending.length > 0) return { text: '', usage: await store.usageOf(id), run, pending };
    const answer = state === 'completed' ? await store.answerOf(id) : undefined;
    return answer && { ...answer, run, pending: [] };
  }

  /**
   * Returns the outcome of a run once the run has ended or waits for decisions. The run itself continues when the client disconnects.
   *
   * @throws AppError guard_blocked; conflict when the run waits for another reason or was canceled; unauthorized when its user was disabled;
   * unavailable when the run failed for any other reason
   */
  async function settle(id: string, request: Pick<AgentRequest, 'onText' | 'signal'>): Promise<SettledAgent> {
    const { status, pending } = await follow(id, request);
    request.signal.throwIfAborted();
    const run = encodeId('run', id);
    const settled = status && (await settledAs(status, pending));
    if (settled) return settled;
    if (status?.errorCode === 'forbidden' && !(await runs.hasActiveUser(id))) throw new AppError('unauthorized');
    if (status?.state === 'failed')
      throw new AppError(status.errorCode === 'guard_blocked' ? 'guard_blocked' : 'unavailable', {
        cause: new Error(`the run ${run} failed: ${status.errorCode}`),
      });
    const [account] = status?.state === 'waiting' ? await runs.listConnections(id) : [];
    const connect = account ? `. Connect an account to ${account.name}: ${account.url}` : '';
    const reason =
      status?.state === 'waiting' ? `${run} waits: ${String(status.waitingFor)}${connect}` : `${run} was canceled`;
    throw new AppError('conflict', { fields: [{ field: 'run', reason }] });
  }

  /**
   * Prepares decisions about calls for which the run of a response waits.
   * @throws AppError forbidden; validation_error for an approval that the response did not request, or that is named twice
   */
  async function prepareDecisions(
    { caller, previous, decisions }: Omit<AgentDecisions, 'slug'>,
    agentId: string | undefined,
  ): Promise<PreparedDecisions> {
    await requireMayApprove(db, caller, encodeId('resp', previous));
    const ids = decisions.map(({ approvalId }) => approvalId);
    const runId = await store.runOfResponse(readerOf(caller), agentId, previous);
    const asked = runId === undefined ? [] : await store.approvalsOf(runId, ids);
    const left = new Map(asked.map((approval) => [approval.id, approval.runId]));
    const prepared = decisions.map(({ approvalId, field, approve, reason }): PreparedDecision => {
      const ofRun = left.get(approvalId);
      left.delete(approvalId);
      if (ofRun === undefined) throw invalidField(field, 'names no request of the response, or one twice');
      return { runId: ofRun, approvalId, decision: { decision: approve ? 'approve' : 'refuse', reason } };
    });
    if (runId === undefined) throw invalidField('previous_response_id', 'does not exist');
    const queued = new Set<string>();
    return {
      id: runId,
      async decide(tx) {
        for (const decision of prepared) {
          const { goesOn } = await decideApproval({ store: approvals, runs }, tx, caller, decision);
          if (goesOn) queued.add(decision.runId);
        }
      },
      goOn() {
        notifier.changed([runId, ...prepared.map((decision) => decision.runId)]);
        queued.forEach(notifier.queued);
      },
    };
  }

  return {
    start,
    settle,

    /**
     * Runs an agent until it has answered.
     *
     * @throws AppError as `start` and `settle`; conflict when the run waits for a person
     */
    async run(request: AgentRequest): Promise<AnsweredAgent> {
      const { pending, ...answered } = await settle(await start(request), request);
      if (pending.length === 0) return answered;
      throw new AppError('conflict', { fields: [{ field: 'run', reason: `${answered.run} waits: approval` }] });
    },

    /**
     * Decides, in one transaction, about calls for which the run of a response waits. The run continues once all its calls are decided.
     *
     * @returns the UUID of the run
     * @throws AppError forbidden, not_found, validation_error, agent_stopped; conflict for a call that is decided or overdue
     */
    async decide({ caller, slug, previous, decisions }: AgentDecisions): Promise<string> {
      const agent = await requireAgent(caller, slug, OPERATIONS.responses, { ofRun: true });
      const { id, decide, goOn } = await prepareDecisions({ caller, previous, decisions }, agent.id);
      await db.transaction(decide);
      goOn();
      return id;
    },

    /** Refuses a caller who may not attach MCP servers to an agent. @throws AppError forbidden */
    requireServerScopes: (caller: Caller, resource: string): Promise<void> =>
      requireScopes(caller, ATTACHING.servers, resource, OPERATIONS.responses),

    /** Prepares a run of an unsaved agent. @throws AppError validation_error when the last message does not fit into the window of the model */
    async prepareUnsaved(request: UnsavedRequest): Promise<PreparedAgentRun> {
      const { caller, draft, messages, idempotencyKey: key } = request;
      const { model } = draft;
      const draftId = key === undefined ? newId() : idFor(`unsaved agent of ${caller.actor.userId}: ${key}`);
      const before = key === undefined ? undefined : await runs.findKeyed(caller.actor.userId, draftId, key);
      const id = before?.id ?? newId();
      const read = [{ role: 'system' as const, content: draft.instructions }, ...messages.slice(-1)];
      if (!before) await requireFits(caller, model, read, 'input');
      const name = slugify(draft.name) || 'draft';
      return {
        id,
        isStarted: before !== undefined,
        async start(tx) {
          const place = await store.beginUnsaved(tx, caller, draftId, messages);
          const subject = { kind: 'agent', id: draftId, name, version: null } as const;
          const run = { id, caller, subject, channel: 'responses', model, ...place, idempotencyKey: key } as const;
          await runs.start(tx, { ...run, input: { draft } }, undefined);
        },
        queue: () => notifier.queued(id),
      };
    },

    /** Prepares decisions about calls for which the run of an unsaved agent waits. @throws AppError like `prepareDecisions` */
    decideUnsaved: (request: Omit<AgentDecisions, 'slug'>): Promise<PreparedDecisions> =>
      prepareDecisions(request, undefined),

    /** Returns the state of a run, and its outcome when the run is completed or waits for decisions. */
    async look(id: string): Promise<{ status: RunStatus | undefined; settled: SettledAgent | undefined }> {
      const status = await runs.status(id);
      const pending = status?.waitingFor === 'approval' ? await approvals.listPending(id) : [];
      return { status, settled: status && (await settledAs(status, pending)) };
    },

    /** Resolves once a run has ended, or once it waits for anything except tool calls that are already decided or overdue. */
    async followed(id: string, signal: AbortSignal): Promise<void> {
      await follow(id, { onText: undefined, signal });
    },

    /** Returns the id of the run of a response. */
    runOf: (response: string) => store.runOf(response),
    callsOf: (id: string, since: number) => store.callsOf(id, since),
    askedBy: (approvalIds: readonly string[]) => store.askedBy(approvalIds),
  };
}
export type AgentRuns = ReturnType<typeof createAgentRuns>;
