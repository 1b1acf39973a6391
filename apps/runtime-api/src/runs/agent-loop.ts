import { createHash } from 'node:crypto';
import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { encodeId, newId, storableText, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import {
  requestParameters,
  type ModelAnswer,
  type ModelMessage,
  type ModelRequest,
  type ModelToolCall,
  type ProjectModels,
} from '@millwright/models';
import { NOT_CONNECTED, RunWaits, type KeptStep } from '@millwright/runs';
import { agentSpan, inSpan, stepAttribute, toolSpan } from '@millwright/telemetry';
import { answerText } from '../conversations/answer-text.js';
import type { OpenedContext, RunAnswer } from '../conversations/contexts.store.js';
import { modelMessages, roomIn } from '../conversations/instructions.js';
import { countImages, type ImageReader, type OpenedImages } from '../conversations/model-images.js';
import type { Progress } from '../conversations/progress.js';
import { lengthOf, toModelMessage, type Turn } from '../conversations/turn.js';
import type { OpenToolset } from '../tools/agent-toolset.js';
import type { ModelTools } from '../tools/model-tools.js';
import { taintedFurther, taintOf, isTainted } from '../tools/taint.js';
import { failed, refused, type ToolResult } from '../tools/tool.js';
import { NO_DECISIONS, noteEdit, type ApprovalGate, type CallDecisions } from './approvals/approval-gate.js';
import type { CallAgent } from '../tools/call-agent.js';
import type { Journal, KeptAnswer, KeptRun } from './run-journal.js';

/** Limit of the model calls for one message. */
const MOST_STEPS = 8;
/** Limit of the tool calls that are made for one model answer. For each further call, the model receives a refusal. */
const MOST_CALLS = 16;
/** Limit of the tool calls that are stored for one model answer, refused calls included. Further calls are dropped without an answer. */
const MOST_KEPT_CALLS = 32;
/**
 * Maximum lengths of the stored name and the stored arguments of a call, in characters. Longer texts are cut. Arguments of this maximum
 * length are already too long for every tool, so a cut text is never used.
 */
const NAME_LENGTH = 200;
const ARGUMENTS_LENGTH = 64 * 1024 + 1;
/** Share of the model's window that all tool answers of a run may use. */
const RESULTS_SHARE = 0.25;
/**
 * Minimum room for a tool's answer, in characters. When less room is left, further tools are not called, because a shorter answer would be
 * useless. An answer of at most this length is never left out.
 */
const LEAST_RESULT_CHARACTERS = 200;

const STOPPED = `I stopped here: a message may take at most ${MOST_STEPS} steps, and this one needs more.`;
const TOO_MANY_CALLS = refused(failed('Too many calls at once.'), `A model's answer may call ${MOST_CALLS} tools.`);
const NO_ROOM = refused(
  failed('There is no room for more answers of tools. Answer with what you have.'),
  `Answers of tools may take ${100 * RESULTS_SHARE} % of the model's window.`,
);
/** Replaces the answer of a tool call when the model's window has no room for the answer. */
const LEFT_OUT = 'This call has ended. Its answer is left out: there is no room for more answers of tools.';
const UNKNOWN = failed(
  'The outcome of this call is unknown: it was sent, and its answer was lost. Find out whether it had its effect before you call the tool again.',
);

export interface LoopRequest {
  caller: Caller;
  agent: RunnableAgent;
  context: OpenedContext;
  content: string;
  model: string;
  idempotencyKey: string | undefined;
  journal: Journal;
  kept: KeptRun;
  /** Receives each step of the run when it happens. */
  onProgress: (progress: Progress) => void;
  /** Whether the model streams its text. */
  isStreamed: boolean;
  /** Whether the run starts a new trace, because it is executed outside of the request that started it. */
  startsTrace: boolean;
  /** Aborting it ends the run before its next model or tool call, and aborts the calls that are in progress. */
  signal: AbortSignal;
  callAgent: CallAgent;
}

/** Runs an agent for one message, with its model, its knowledge and its tools, until the model has an answer. */
export function createAgentLoop(
  models: ProjectModels,
  openToolset: OpenToolset,
  findDecisions: ApprovalGate,
  openImages: ImageReader,
) {
  return {
    /**
     * Returns the last answer in a form that can be stored. All earlier steps are already stored in the conversation.
     * @throws AppError unavailable when the model or the database fails; not_found when the agent was deleted meanwhile; guard_blocked when
     * a guard blocks a text. RunLost when this process no longer has the run. RunWaits when the run has to wait. The reason of the signal
     */
    async run(request: LoopRequest): Promise<RunAnswer> {
      const { agent, context, journal, startsTrace } = request;
      const ids = { conversation: encodeId('ctx', context.id), run: encodeId('run', journal.fence.runId) };
      const { name, options } = agentSpan({
        agent: { id: encodeId('ag', agent.id), name: agent.slug, version: agent.version },
        ...ids,
      });
      return inSpan(name, { ...options, ...(startsTrace && { parent: 'root' }) }, () => runLoop(request));
    },
  };

  async function runLoop(request: LoopRequest): Promise<RunAnswer> {
    const { caller, agent, context, content, model, idempotencyKey, journal, kept } = request;
    const { onProgress, isStreamed, signal } = request;
    const known = await models.of(caller.project);
    const windowTokens = known.contextWindow(model);
    const readsImages = known.imageInput(model) !== 'none';
    const run = encodeId('run', journal.fence.runId);
    const toolset = await openToolset(caller, agent, content, request.callAgent, run, kept.begunAgents);
    const { tools, knowledge, taintedBy, guards, callTool } = toolset;
    const { added, newest, conversation, read } = await modelMessages(
      agent,
      knowledge,
      { ...context, content },
      { model, windowTokens, readsImages },
    );
    const messages: ModelMessage[] = await guards.messages([...added, ...conversation], [newest]);
    journal.noteRead(messages.slice(0, added.length), read);
    const written = context.source === undefined ? taintedBy : [...taintedBy, context.source];
    let taint = taintOf([...context.history, ...context.begun], written);
    const parameters = parametersOf(agent, tools, isStreamed, countImages(messages));
    let room = roomIn(windowTokens, RESULTS_SHARE) - context.begun.filter(isToolAnswer).reduce(addLength, 0);

    /**
     * Adds to the result that a person changed the arguments. The tool received exactly the arguments of the person. The guards check them
     * here, before they are stored and the model reads them.
     */
    async function withEdit(result: ToolResult, made: ModelToolCall): Promise<ToolResult> {
      const { value } = await guards.json('tools', made.arguments);
      return noteEdit(result, { arguments: value });
    }

    /**
     * Returns the stored result of a call that an earlier worker started. When the outcome is unknown, returns `again` if the call may be
     * repeated, and otherwise a result that states that the outcome is unknown.
     */
    async function keptResult(step: KeptStep): Promise<ToolResult | 'again'> {
      const { seq, outcome, result, untrusted } = step;
      if (step.errorCode === NOT_CONNECTED) return 'again';
      if (outcome === 'succeeded' || outcome === 'failed')
        return { ok: outcome === 'succeeded', content: result ?? '', untrusted: untrusted ?? true };
      if (result !== null) return UNKNOWN;
      if (tools.find(step.tool ?? '', true)?.isRepeatable) return 'again';
      if (agent.on_unknown === 'tell') await journal.informUnknown(seq, UNKNOWN);
      return UNKNOWN;
    }

    /**
     * Throws when calls have an unknown outcome and must not be repeated, and `on_unknown` of the agent is `ask` or `fail`.
     * @throws RunWaits when `on_unknown` is `ask`; AppError unavailable when it is `fail`
     */
    function requireKnown({ seq: askedBy, calls }: KeptAnswer): void {
      const unknown = calls
        .flatMap(({ id }) => kept.toolStep(askedBy, id) ?? [])
        .filter(
          ({ outcome, result, tool }) =>
            outcome === 'unknown' && result === null && !tools.find(tool ?? '', true)?.isRepeatable,
        );
      if (unknown.length === 0 || agent.on_unknown === 'tell') return;
      const steps = unknown.map(({ seq, tool }) => ({ step: seq, tool }));
      if (agent.on_unknown === 'ask') throw new RunWaits('outcome', { steps });
      const cause = new Error(`the outcome of a call of ${String(unknown[0]?.tool)} is unknown`);
      throw new AppError('unavailable', { cause });
    }

    async function callOnce(call: ModelToolCall, askedBy: number, index: number): Promise<ToolResult> {
      const before = kept.toolStep(askedBy, call.id);
      const known = before && (await keptResult(before));
      if (known && known !== 'again') return known;
      const idempotencyKey = `${journal.fence.runId}:${askedBy}:${index}`;
      const overLimit = index >= MOST_CALLS ? TOO_MANY_CALLS : room < LEAST_RESULT_CHARACTERS ? NO_ROOM : undefined;
      if (overLimit && !before) {
        await journal.refuseTool(tools.find(call.name), call, askedBy, overLimit, taint);
        return overLimit;
      }
      const decision = decisions.get(call.id);
      const made = decision?.call ?? { ...call, arguments: before?.arguments ?? call.arguments };
      const isEdited = made.arguments !== call.arguments;
      const begunStep = before?.seq;
      // The earlier call failed because an account was missing, so it had no effect. If the call is refused now, the refusal becomes its
      // outcome.
      let step = before?.errorCode === NOT_CONNECTED ? begunStep : undefined;
      const keep = async (tx: Tx, tool: Parameters<Journal['startTool']>[1]) => {
        const kept = begunStep ?? (await journal.startTool(tx, tool, made, askedBy, idempotencyKey, taint));
        if (begunStep !== undefined) await journal.restartTool(tx, begunStep);
        await decision?.use(tx);
        step = kept;
        return kept;
      };
      const { requireLease } = journal;
      const runId = encodeId('run', journal.fence.runId);
      const { name, options } = toolSpan(call.name, call.id);
      return inSpan(name, options, async (span) => {
        const sent = { runId, idempotencyKey, signal, keep, requireLease, decision, begunStep };
        const answered = await callTool(made, taint, sent);
        const result = isEdited && step !== undefined ? await withEdit(answered, made) : answered;
        if (step !== undefined) await journal.endTool(step, result);
        else if (begunStep === undefined) {
          step = await journal.refuseTool(tools.find(call.name), call, askedBy, result, taint);
        } else {
          // The call is refused now, but an earlier process may already have sent it with an effect. The outcome therefore stays unknown.
          await journal.informUnknown(begunStep, UNKNOWN);
          span.set(stepAttribute(begunStep));
          span.fail({ name: 'tool_error' });
          return UNKNOWN;
        }
        span.set(stepAttribute(step));
        if (result.blocked) throw result.blocked;
        if (result.waits) throw result.waits;
        if (!result.ok) span.fail(result.error ?? { name: 'tool_error' });
        return result;
      });
    }

    async function answerCalls({ calls, seq }: KeptAnswer, step: number): Promise<Turn[]> {
      const results = await settled(
        calls.map(async (call, index): Promise<ToolResult> => {
          const { id, name: tool } = call;
          onProgress({ event: 'tool.call', data: { step, id, tool, arguments: call.arguments } });
          const result = await callOnce(call, seq, index);
          onProgress({ event: 'tool.result', data: { step, id, tool, ok: result.ok } });
          return result;
        }),
      );
      return results.map((result, index): Turn => {
        const { ok, content, untrusted } = result;
        const part = storableText(withinRoom(content, room));
        room -= part.length;
        const { id: callId = '', name: source = '' } = calls[index] ?? {};
        return {
          role: 'tool',
          content: part,
          callId,
          failed: !ok,
          untrusted,
          ...(untrusted && { source }),
        };
      });
    }

    async function askModel(step: number): Promise<KeptAnswer> {
      const key = idempotencyKey !== undefined && step > 1 ? `${idempotencyKey}:step-${step}` : idempotencyKey;
      const modelRequest: ModelRequest = {
        model,
        messages,
        ...requestParameters(agent.model_parameters),
        ...definitionsOf(tools),
        ...(key !== undefined && { idempotencyKey: key }),
        signal,
      };
      const present = await models.of(caller.project);
      const reserved = await journal.reserve(modelRequest);
      const onFirstText = journal.beginModelCall(model, parameters);
      const shown = guards.stream((delta) => onProgress({ event: 'message.delta', data: { step, delta } }));
      const onText = (delta: string) => {
        onFirstText();
        shown.push(delta);
      };
      let opened: OpenedImages | undefined;
      try {
        opened = await openImages(reserved.request.messages, signal);
        const written = await present.complete(
          { ...reserved.request, messages: opened.messages },
          {
            onText: isStreamed ? onText : undefined,
            onCut: journal.recordUse,
            priceOf: reserved.priceOf,
            isPaidOnce: reserved.isPaidOnce,
          },
        );
        const { value: answer, blocked } = await guards.answer(written);
        if (blocked) {
          await journal.recordUse(written);
          throw blocked;
        }
        shown.end(answer.text);
        return await keep(answer, step);
      } finally {
        opened?.release();
        await journal.release();
      }
    }

    async function keep(answer: ModelAnswer, step: number): Promise<KeptAnswer> {
      const isLast = answer.toolCalls.length === 0 || step === MOST_STEPS;
      const calls = withOwnIds(answer.toolCalls);
      const said = { text: keptText(answer), calls, untrusted: isTainted(taint) };
      const keptAnswer = await journal.keepAnswer(answer, said, isLast);
      signal.throwIfAborted();
      return keptAnswer;
    }

    let { pending } = kept;
    let decisions: CallDecisions = NO_DECISIONS;
    for (let step = pending ? kept.answers : kept.answers + 1; ; step += 1) {
      const isContinued = pending !== undefined;
      const answer = pending ?? (await askModel(step));
      pending = undefined;
      const { text, calls, untrusted } = answer;
      if (calls.length === 0) return { ...answer, text: answerText({ text, refusal: null }) };
      if (step >= MOST_STEPS) {
        onProgress({ event: 'message.delta', data: { step, delta: text ? `\n\n${STOPPED}` : STOPPED } });
        return { ...answer, text: [text.trim(), STOPPED].filter(Boolean).join('\n\n') };
      }
      requireKnown(answer);
      const isKept = ({ id }: ModelToolCall) => kept.toolStep(answer.seq, id) !== undefined;
      const asking = { fence: journal.fence, caller, agent, tools, taint };
      decisions = await findDecisions(asking, firstCalls(answer), { isKept, isContinued });
      const calling: Turn = { role: 'assistant', content: text, toolCalls: calls, untrusted };
      const turns = [calling, ...(await answerCalls(answer, step))];
      await journal.storeTurns(answer, turns);
      signal.throwIfAborted();
      messages.push(...turns.map(toModelMessage));
      taint = taintedFurther(taint, turns);
    }
  }
}
export type AgentLoop = ReturnType<typeof createAgentLoop>;

/**
 * Waits until all calls have ended, so that no call continues in a failed or waiting run, and returns the results. When some calls failed
 * and other calls have to wait, throws the failure.
 */
async function settled<Result>(calls: readonly Promise<Result>[]): Promise<Result[]> {
  const ended = await Promise.allSettled(calls);
  const reasons = ended.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  if (reasons.length > 0) throw reasons.find((reason) => !(reason instanceof RunWaits)) ?? reasons[0];
  return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

function withinRoom(content: string, room: number): string {
  if (content.length <= Math.max(room, LEAST_RESULT_CHARACTERS)) return content;
  return room < LEAST_RESULT_CHARACTERS ? LEFT_OUT : `${content.slice(0, room)} … (cut)`;
}

const isToolAnswer = ({ role }: Turn) => role === 'tool';
const addLength = (sum: number, turn: Turn) => sum + lengthOf(turn);

/** Returns an answer of the model without the tool calls that exceed the limit. */
const firstCalls = (answer: KeptAnswer): KeptAnswer => ({ ...answer, calls: answer.calls.slice(0, MOST_CALLS) });

/** The text of an answer as it is stored. When the model refuses to answer, its refusal is stored as the text. */
const keptText = ({ text, refusal, toolCalls }: ModelAnswer): string =>
  storableText(toolCalls.length === 0 && text.trim() === '' ? (refusal ?? '') : text);

const definitionsOf = ({ definitions }: ModelTools) => (definitions.length === 0 ? {} : { tools: definitions });

/** The parameters of a model call in the form in which its step stores them: with the names and one hash of the tool definitions. */
const parametersOf = (agent: RunnableAgent, { definitions }: ModelTools, stream: boolean, images: number) => ({
  stream,
  ...agent.model_parameters,
  ...(images > 0 && { images }),
  ...(definitions.length > 0 && {
    tools: definitions.map(({ name }) => name),
    tools_hash: createHash('sha256').update(JSON.stringify(definitions)).digest('hex'),
  }),
});

const ID_LENGTH = 100;

/**
 * Returns the tool calls that are stored, each with a unique id. Some model servers omit or repeat ids, but the answer of a tool must name
 * exactly one call.
 */
function withOwnIds(calls: readonly ModelToolCall[]): ModelToolCall[] {
  const taken = new Set<string>();
  return calls.slice(0, MOST_KEPT_CALLS).map(({ id, name, arguments: args }) => {
    const own = /^[\x21-\x7e]+$/.test(id) && id.length <= ID_LENGTH && !taken.has(id) ? id : `call_${newId()}`;
    taken.add(own);
    const kept = { name: name.slice(0, NAME_LENGTH), arguments: args.slice(0, ARGUMENTS_LENGTH) };
    return { id: own, name: storableText(kept.name), arguments: storableText(kept.arguments) };
  });
}
