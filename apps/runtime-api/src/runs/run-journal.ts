import type { RunnableAgent } from '@millwright/catalog';
import type { Caller } from '@millwright/auth';
import { decodeId, encodeId, isDatabaseFailure, storableText, type Database, type Tx } from '@millwright/db';
import { BudgetExceeded, type RunBudgets, type Spending, type SpendingCall } from '@millwright/budgets';
import type { ModelAnswer, ModelRequest, ModelToolCall, ModelUse } from '@millwright/models';
import {
  RunLost,
  RunWaits,
  type Fence,
  type KeptStep,
  type ModelStep,
  type RunError,
  type RunStore,
  type StepStore,
} from '@millwright/runs';
import type { ContextStore, RunAnswer, StoredStep } from '../conversations/contexts.store.js';
import type { AgentMessage } from '../conversations/agent-message.js';
import type { Turn } from '../conversations/turn.js';
import type { BegunAgentCall } from '../tools/agent-tools.js';
import type { RunTaint } from '../tools/taint.js';
import type { AgentTool, ToolResult } from '../tools/tool.js';

export interface JournalDeps {
  db: Database;
  contexts: ContextStore;
  runs: RunStore;
  steps: StepStore;
  spending: Pick<Spending, 'reserve'>;
  runBudgets: Pick<RunBudgets, 'mayWait' | 'wait'>;
}

/** The run whose steps a journal stores. */
export interface JournalRun {
  fence: Fence;
  caller: Caller;
  agent: RunnableAgent;
  contextId: string;
  /** Row id of the message that the run answers. */
  messageId: string;
  /** Row ids that determine further budgets for the run's calls, in addition to the budgets of the user and the agent. */
  spends: Spends;
  /** Checks the lease of this process. @throws RunLost once this process may have lost the run */
  requireLease: () => void;
}

/** Row ids of the budget with which a run was started, and of the trigger that started it. */
export interface Spends {
  budgetId: string | null;
  triggerId?: string | undefined;
}

/** A model call that has not ended. */
interface ModelCall {
  model: string;
  startedAt: Date;
  firstTokenAt?: Date;
  parameters: object;
  added: object | undefined;
  readSeqs: readonly number[] | undefined;
}

/** An answer of the model that is not stored yet, with its usage and its step. */
interface UnstoredAnswer {
  use: ModelUse;
  step: ModelStep;
}

/** A stored answer of the model. */
export interface KeptAnswer {
  /** Number of the answer's step; 0 for the last answer, which is stored only when the run ends. */
  seq: number;
  text: string;
  calls: readonly ModelToolCall[];
  model: string;
  untrusted: boolean;
}

/**
 * Stores each action of a run before anything else can depend on the action. Every method throws `RunLost` once the run has ended or
 * another process has taken it over.
 */
export function createJournal(
  { db, contexts, runs, steps, spending, runBudgets }: JournalDeps,
  { fence, caller, agent, contextId, messageId, spends, requireLease }: JournalRun,
) {
  let calling: ModelCall | undefined;
  let spent: SpendingCall | undefined;

  /** The answer that ends the run, while it is not stored yet. */
  let last: UnstoredAnswer | undefined;

  const recordUsage = (tx: Tx, kind: 'agent_message' | 'agent_step', use: ModelUse) =>
    contexts.recordUsage(tx, caller, agent, kind, use);

  /** Records the usage of a call whose step cannot be stored. */
  const recordUse = (kind: 'agent_message' | 'agent_step', use: ModelUse) =>
    db.transaction(async (tx) => {
      await recordUsage(tx, kind, use);
      await spent?.settle(tx, use);
    });

  /** Stores an answer's step with its usage. @throws RunLost */
  const storeStep = (kind: 'agent_message' | 'agent_step', { use, step }: UnstoredAnswer): Promise<number> =>
    db.transaction(async (tx) => {
      await recordUsage(tx, kind, use);
      const seq = await steps.addModelStep(tx, fence, step);
      await spent?.settle(tx, use);
      return seq;
    });

  /** Stores an answer's step with its usage. Stores only the usage when the run was taken over or has ended. @throws RunLost */
  async function store(kind: 'agent_message' | 'agent_step', answer: UnstoredAnswer): Promise<number> {
    try {
      return await storeStep(kind, answer);
    } catch (error) {
      if (error instanceof RunLost) await recordUse(kind, answer.use);
      throw error;
    }
  }

  let read: Pick<ModelCall, 'added' | 'readSeqs'> | undefined;

  return {
    fence,
    requireLease,

    /**
     * Remembers the input that is the same in all model calls of this attempt, until the first call stores it: the messages that are not in
     * the conversation, and the positions of the earlier turns of the conversation.
     */
    noteRead(added: object, readSeqs: readonly number[]): void {
      read = { added, readSeqs };
    },

    /** Marks the start of a model call. @returns a function that must be called when the first text of the answer arrives */
    beginModelCall(model: string, parameters: object): () => void {
      const call: ModelCall = {
        model,
        startedAt: new Date(),
        parameters,
        added: read?.added,
        readSeqs: read?.readSeqs,
      };
      calling = call;
      read = undefined;
      return () => void (call.firstTokenAt ??= new Date());
    },

    /**
     * Reserves the maximum cost of a model call.
     * @throws RunWaits when a budget does not have enough room; AppError budget_exceeded when a budget is in money and the model has no
     * price, or when too many runs of the user already wait
     */
    async reserve(request: ModelRequest): Promise<Pick<SpendingCall, 'request' | 'priceOf' | 'isPaidOnce'>> {
      const { budgetId, triggerId } = spends;
      const spender = { caller, agentId: agent.id, triggerId, run: fence, budgetId: budgetId ?? undefined };
      try {
        spent = await spending.reserve(spender, request);
        return spent;
      } catch (error) {
        if (!(error instanceof BudgetExceeded) || error.refusal.need === undefined) throw error;
        if (!(await runBudgets.mayWait(caller.actor.userId))) throw error;
        const { refusal } = error;
        const { budgetId: full, name, level } = refusal;
        const budget = { budget: encodeId('bud', full), level, name };
        throw new RunWaits('budget', budget, (tx) => runBudgets.wait(tx, fence.runId, refusal));
      }
    },

    /**
     * Releases the amount that is still reserved for a model call that has ended. Does nothing when the usage of the call was recorded or
     * will be recorded with the last answer.
     */
    release: async (): Promise<void> => {
      if (!last) await spent?.release();
    },

    /** Records the usage even when the run has ended in the meantime. */
    recordUse: (use: ModelUse) => recordUse('agent_step', use),

    /** Stores an answer of the model with its usage. The last answer is stored by `complete` or by `keepLast` instead. */
    async keepAnswer(
      answer: ModelAnswer,
      kept: Omit<KeptAnswer, 'seq' | 'model'>,
      isLast: boolean,
    ): Promise<KeptAnswer> {
      const { model, usage, costUsd } = answer;
      const { text, calls, untrusted } = kept;
      const call = calling ?? { startedAt: new Date() };
      calling = undefined;
      const used = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens, costUsd };
      const unstored = { use: answer, step: { ...call, model, usage: used, answer: { text, calls, untrusted } } };
      if (isLast) last = unstored;
      return { ...kept, seq: isLast ? 0 : await store('agent_step', unstored), model };
    },

    /**
     * Stores the last answer of a run that could not be completed, so that the process that takes over the run does not call the model
     * again.
     * @throws RunLost
     */
    async keepLast(error: unknown): Promise<void> {
      const unstored = last;
      last = undefined;
      if (!unstored) return;
      try {
        // When the database did not answer, the run may already have ended with this answer and its usage. `storeStep` then records nothing
        // twice.
        await (isDatabaseFailure(error) ? storeStep : store)('agent_message', unstored);
      } finally {
        await spent?.release();
      }
    },

    /** Stores a tool call as started, in the transaction that writes its audit row. @returns the step of the call */
    startTool: (
      tx: Tx,
      tool: AgentTool,
      call: ModelToolCall,
      askedBy: number,
      idempotencyKey: string,
      taint: RunTaint,
    ): Promise<number> =>
      steps.startToolStep(tx, fence, {
        ...{ askedBy, callId: call.id, tool: call.name, server: tool.owner.id, definitionHash: tool.definitionHash },
        ...{ rule: tool.rule.in(taint), arguments: call.arguments, idempotencyKey },
      }),

    /** Stores a tool call for which nothing was sent. */
    refuseTool: (
      tool: AgentTool | undefined,
      call: ModelToolCall,
      askedBy: number,
      result: ToolResult,
      taint: RunTaint,
    ): Promise<number> =>
      db.transaction((tx) =>
        steps.addRefusedStep(tx, fence, {
          ...{
            askedBy,
            callId: call.id,
            tool: call.name,
            server: tool?.owner.id,
            definitionHash: tool?.definitionHash,
            rule: tool?.rule.in(taint),
          },
          ...{ arguments: call.arguments, result: result.content },
          error: result.error ?? { code: 'forbidden', text: 'The call was refused.' },
        }),
      ),

    restartTool: (tx: Tx, seq: number): Promise<void> => steps.restartToolStep(tx, fence, seq),

    endTool: (seq: number, { ok, content, untrusted, error }: ToolResult): Promise<void> =>
      steps.endToolStep(fence, seq, { outcome: ok ? 'succeeded' : 'failed', result: content, untrusted, error }),

    /** Stores that the model was informed of the unknown outcome of a call. */
    informUnknown: (seq: number, { content }: ToolResult): Promise<void> =>
      steps.endToolStep(fence, seq, { outcome: 'unknown', result: content, untrusted: false }),

    /** Stores the tool calls of a model answer, and their results, in the conversation. */
    storeTurns: ({ seq, model }: KeptAnswer, turns: readonly Turn[]): Promise<void> =>
      db.transaction(async (tx) => {
        const last = await contexts.addStep(tx, contextId, { messageId, model }, turns);
        await steps.storedThrough(tx, fence, seq, last);
      }),

    /** Stores the answer, and also its step and usage unless they are stored already. Then ends the run. */
    async complete(
      tx: Tx,
      answer: RunAnswer,
      change: Parameters<RunStore['end']>[3] = {},
    ): Promise<{ message: AgentMessage; hasWaiting: boolean }> {
      const { message, id } = await contexts.answer(tx, agent, { contextId, messageId }, answer);
      if (last) await recordUsage(tx, 'agent_message', last.use);
      const ended = { ...change, answerId: id, step: last?.step };
      const { hasWaiting } = await runs.end(tx, fence, 'completed', ended);
      if (last) await spent?.settle(tx, last.use);
      return { message, hasWaiting };
    },

    /** Ends the run with a failure. When a model call is in progress, its failure becomes a step. */
    fail: (error: RunError, messageId: string, change: Parameters<RunStore['end']>[3] = {}): Promise<void> =>
      db.transaction(async (tx) => {
        await contexts.markFailed(tx, messageId);
        await runs.end(tx, fence, 'failed', { ...change, error, step: calling && { ...calling, error } });
      }),
  };
}
export type Journal = ReturnType<typeof createJournal>;

/** The steps that an earlier worker of the run stored. */
export interface KeptRun {
  /** Number of model answers so far. */
  answers: number;
  /** The attempt that wrote the last step; 0 when there are no steps. */
  attempt: number;
  /** Time at which the last step ended. */
  lastAt: Date | undefined;
  /** The last answer, while it is not in the conversation yet. */
  pending: KeptAnswer | undefined;
  /** Finds the step of a call that a model answer requested. */
  toolStep: (askedBy: number, callId: string) => KeptStep | undefined;
  /** The steps that are stored in the conversation. */
  stored: readonly StoredStep[];
  /** Calls of agents that were started and have no result. */
  begunAgents: readonly BegunAgentCall[];
}

export const NOTHING_KEPT: KeptRun = {
  answers: 0,
  attempt: 0,
  lastAt: undefined,
  pending: undefined,
  toolStep: () => undefined,
  stored: [],
  begunAgents: [],
};

export function readKept(steps: readonly KeptStep[]): KeptRun {
  const answered = steps.filter(({ kind, outcome }) => kind === 'model' && outcome === 'succeeded');
  const last = answered.at(-1);
  const isPending = last && last.throughSeq === null;
  const { seq = 0, answer, calls, model, untrusted } = last ?? {};
  return {
    answers: answered.length,
    attempt: Math.max(0, ...steps.map((step) => step.attempt)),
    lastAt: steps
      .map(({ at }) => at)
      .toSorted((a, b) => a.getTime() - b.getTime())
      .at(-1),
    pending: isPending
      ? { seq, text: storableText(answer ?? ''), calls: calls ?? [], model: model ?? '', untrusted: untrusted ?? false }
      : undefined,
    stored: answered.flatMap(({ throughSeq, calls: made }) =>
      throughSeq === null ? [] : [{ throughSeq, turns: 1 + (made ?? []).length }],
    ),
    begunAgents: steps.flatMap(({ kind, outcome, result, tool, server }) => {
      const isBegun = kind === 'tool' && result === null && (outcome === 'started' || outcome === 'unknown');
      return isBegun && tool !== null && server !== null && decodeId('ag', server) !== undefined
        ? [{ tool, server }]
        : [];
    }),
    toolStep: (askedBy, callId) => steps.find((step) => step.askedBy === askedBy && step.callId === callId),
  };
}
