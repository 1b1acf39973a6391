import type { RunnableAgent } from '@millwright/catalog';
import type { Caller } from '@millwright/auth';
import { encodeId, storableText, type Database, type Tx } from '@millwright/db';
import { BudgetExceeded, type RunBudgets, type Spending, type SpendingCall } from '@millwright/budgets';
import type { ModelAnswer, ModelRequest, ModelToolCall, ModelUse } from '@millwright/models';
import { RunLost, type Fence, type KeptStep, type RunError, type RunStore, type StepStore } from '@millwright/runs';
import type { ContextStore, RunAnswer, StoredStep } from '../conversations/contexts.store.js';
import type { AgentMessage } from '../conversations/messages.contract.js';
import type { Turn } from '../conversations/turn.js';
import type { AgentTool, ToolResult } from '../tools/tool.js';
import { RunWaits } from './run-waits.js';

export interface JournalDeps {
  db: Database;
  contexts: ContextStore;
  runs: RunStore;
  steps: StepStore;
  spending: Pick<Spending, 'reserve'>;
  runBudgets: Pick<RunBudgets, 'mayWait' | 'wait'>;
}

/** The run that a journal belongs to. */
export interface JournalRun {
  fence: Fence;
  caller: Caller;
  agent: RunnableAgent;
  contextId: string;
  /** What its calls spend of besides the budgets of its user and agent. */
  spends: Spends;
  /** @throws RunLost once this process may have lost the run. */
  requireLease: () => void;
}

/** The budget and the trigger of a run; row ids. */
export interface Spends {
  budgetId: string | null;
  triggerId?: string | undefined;
}

/** A call of the model that is under way. */
interface ModelCall {
  model: string;
  startedAt: Date;
  firstTokenAt?: Date;
  parameters: object;
  added: object | undefined;
}

/** An answer of the model that is kept. */
export interface KeptAnswer {
  /** Its step. */
  seq: number;
  text: string;
  calls: readonly ModelToolCall[];
  model: string;
  untrusted: boolean;
}

/** Writes what a run does before anything follows from it. Every method throws `RunLost` once the run is another process's or has ended. */
export function createJournal(
  { db, contexts, runs, steps, spending, runBudgets }: JournalDeps,
  { fence, caller, agent, contextId, spends, requireLease }: JournalRun,
) {
  let calling: ModelCall | undefined;
  let spent: SpendingCall | undefined;

  /** In the transaction that records the use, at its end. */
  const recordUsage = async (
    tx: Tx,
    kind: 'agent_message' | 'agent_step',
    use: ModelUse,
    keep: () => Promise<number | undefined> = () => Promise.resolve(undefined),
  ) => {
    await contexts.recordUsage(tx, caller, agent, kind, use);
    const seq = await keep();
    await spent?.settle(tx, use);
    return seq;
  };

  let added: object | undefined;

  return {
    fence,
    requireLease,

    /** Notes messages that every call of the model by this attempt reads and that are not in the context: kept with the first of them. */
    noteAdded(messages: object): void {
      added = messages;
    },

    /** Notes that the model is called now. @returns a function for its first text */
    beginModelCall(model: string, parameters: object): () => void {
      const call: ModelCall = { model, startedAt: new Date(), parameters, added };
      calling = call;
      added = undefined;
      return () => void (call.firstTokenAt ??= new Date());
    },

    /**
     * Reserves what a call of the model may cost at most.
     *
     * @throws RunWaits while a budget has no room; AppError budget_exceeded for a model without the price that a budget needs, and when
     * too many runs of the user wait
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

    /** Returns what a call has reserved that is over; nothing when its use is recorded. */
    release: async (): Promise<void> => spent?.release(),

    /** What was used is spent, also by a run that has ended meanwhile. */
    recordUse: (use: ModelUse) => db.transaction((tx) => recordUsage(tx, 'agent_step', use)),

    /** Keeps an answer of the model with its usage. */
    async keepAnswer(
      answer: ModelAnswer,
      kept: Omit<KeptAnswer, 'seq' | 'model'>,
      isLast: boolean,
    ): Promise<KeptAnswer> {
      const { model, usage, costUsd } = answer;
      const { text, calls, untrusted } = kept;
      const call = calling ?? { startedAt: new Date() };
      calling = undefined;
      const kind = isLast ? 'agent_message' : 'agent_step';
      const used = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens, costUsd };
      const step = { ...call, model, usage: used, answer: { text, calls, untrusted } };
      try {
        const seq = await db.transaction((tx) =>
          recordUsage(tx, kind, answer, () => steps.addModelStep(tx, fence, step)),
        );
        return { ...kept, seq: seq ?? 0, model };
      } catch (error) {
        if (error instanceof RunLost) await db.transaction((tx) => recordUsage(tx, kind, answer));
        throw error;
      }
    },

    /** Keeps a call of a tool as started, in the transaction that audits it. @returns its step */
    startTool: (
      tx: Tx,
      tool: AgentTool,
      call: ModelToolCall,
      askedBy: number,
      idempotencyKey: string,
    ): Promise<number> =>
      steps.startToolStep(tx, fence, {
        ...{ askedBy, callId: call.id, tool: call.name, server: tool.owner.id, definitionHash: tool.definitionHash },
        ...{ arguments: call.arguments, idempotencyKey },
      }),

    /** Keeps a call that nothing was sent for. */
    refuseTool: (
      tool: AgentTool | undefined,
      call: ModelToolCall,
      askedBy: number,
      result: ToolResult,
    ): Promise<number> =>
      db.transaction((tx) =>
        steps.addRefusedStep(tx, fence, {
          ...{
            askedBy,
            callId: call.id,
            tool: call.name,
            server: tool?.owner.id,
            definitionHash: tool?.definitionHash,
          },
          ...{ arguments: call.arguments, result: result.content },
          error: result.error ?? { code: 'forbidden', text: 'The call was refused.' },
        }),
      ),

    restartTool: (tx: Tx, seq: number): Promise<void> => steps.restartToolStep(tx, fence, seq),

    endTool: (seq: number, { ok, content, untrusted, error }: ToolResult): Promise<void> =>
      steps.endToolStep(fence, seq, { outcome: ok ? 'succeeded' : 'failed', result: content, untrusted, error }),

    /** Keeps that the model was informed that the outcome of a call is not known. */
    informUnknown: (seq: number, { content }: ToolResult): Promise<void> =>
      steps.endToolStep(fence, seq, { outcome: 'unknown', result: content, untrusted: false }),

    /** Stores the calls of an answer with the tools' answers in the conversation. */
    storeTurns: ({ seq, model }: KeptAnswer, turns: readonly Turn[]): Promise<void> =>
      db.transaction(async (tx) => {
        const last = await contexts.addStep(tx, contextId, model, turns);
        await steps.storedThrough(tx, fence, seq, last);
      }),

    /** Stores the answer and ends the run. */
    async complete(tx: Tx, answer: RunAnswer, events: Parameters<RunStore['end']>[3] = {}): Promise<AgentMessage> {
      const { message, id } = await contexts.answer(tx, agent, contextId, answer);
      await runs.end(tx, fence, 'completed', { ...events, answerId: id });
      return message;
    },

    /** Ends the run with a failure; that of the model's call, when one was under way, becomes a step. */
    fail: (error: RunError, messageId: string, change: Parameters<RunStore['end']>[3] = {}): Promise<void> =>
      db.transaction(async (tx) => {
        await contexts.markFailed(tx, messageId);
        if (calling) await steps.addModelStep(tx, fence, { ...calling, error });
        await runs.end(tx, fence, 'failed', { ...change, error });
      }),
  };
}
export type Journal = ReturnType<typeof createJournal>;

/** What an earlier worker has kept of a run. */
export interface KeptRun {
  /** Answers of the model so far. */
  answers: number;
  /** The attempt that wrote the last step; 0: none. */
  attempt: number;
  /** When that was. */
  lastAt: Date | undefined;
  /** The last answer, when the conversation does not have it. */
  pending: KeptAnswer | undefined;
  /** The step of a call that the answer of a step asked for. */
  toolStep: (askedBy: number, callId: string) => KeptStep | undefined;
  /** The steps that the conversation has. */
  stored: readonly StoredStep[];
}

export const NOTHING_KEPT: KeptRun = {
  answers: 0,
  attempt: 0,
  lastAt: undefined,
  pending: undefined,
  toolStep: () => undefined,
  stored: [],
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
    toolStep: (askedBy, callId) => steps.find((step) => step.askedBy === askedBy && step.callId === callId),
  };
}
