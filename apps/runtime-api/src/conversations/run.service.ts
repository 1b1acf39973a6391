import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { newId, storableText } from '@millwright/db';
import type { ModelMessage, ModelRequest, Models, ModelToolCall, ModelUse } from '@millwright/models';
import type { OpenToolset } from '../tools/agent-toolset.js';
import type { ModelTools } from '../tools/model-tools.js';
import { taintedFurther, taintOf, isTainted } from '../tools/taint.js';
import { failed, type ToolResult } from '../tools/tool.js';
import { answerText } from './answer-text.js';
import type { ContextStore, OpenedContext, RunAnswer } from './contexts.store.js';
import { modelMessages, roomIn } from './instructions.js';
import type { Progress } from './messages.contract.js';
import { toModelMessage, type Turn } from './turn.js';

/** Limit of the model calls for one message. */
const MOST_STEPS = 8;
/** Limit of the tool calls in one step; the model receives a refusal for each further one. */
const MOST_CALLS = 16;
/** Limit of the tool calls of one step that are kept; a model that makes more of them makes no use of their answers. */
const MOST_KEPT_CALLS = 32;
/** Limits of what is kept of a call. Longer arguments are refused by every tool. */
const NAME_LENGTH = 200;
const ARGUMENTS_LENGTH = 64 * 1024 + 1;
/** Share of the window that all tool answers of a run may take. */
const RESULTS_SHARE = 0.25;
/** Least room for which a tool is called; a shorter answer would be useless. */
const LEAST_RESULT_CHARACTERS = 200;

const STOPPED = `I stopped here: a message may take at most ${MOST_STEPS} steps, and this one needs more.`;
const TOO_MANY_CALLS = failed('Too many calls at once.');
const NO_ROOM = failed('There is no room for more answers of tools. Answer with what you have.');

export interface RunRequest {
  caller: Caller;
  agent: RunnableAgent;
  context: OpenedContext;
  content: string;
  model: string;
  idempotencyKey: string | undefined;
  /** Receives each step as it happens; the model then streams its text. */
  onProgress: ((progress: Progress) => void) | undefined;
  /** Ends the run before its next call of the model or a tool, and the call of the model that is under way. */
  signal: AbortSignal | undefined;
}

/** Runs an agent for one message: its model, its knowledge and its tools, until the model has an answer. */
export function createRunService(models: Models, contexts: ContextStore, openToolset: OpenToolset) {
  return {
    /**
     * Returns the last answer, its text fit to be stored. Every earlier step is in the context already.
     *
     * @throws AppError unavailable, not_found when the agent was deleted meanwhile; the signal's reason.
     */
    async run({
      caller,
      agent,
      context,
      content,
      model,
      idempotencyKey,
      onProgress,
      signal,
    }: RunRequest): Promise<RunAnswer> {
      const windowTokens = models.contextWindow(model);
      const { tools, knowledge, callTool } = await openToolset(caller, agent, content);
      const messages: ModelMessage[] = await modelMessages(agent, knowledge, { ...context, content }, windowTokens);
      let taint = taintOf([...context.history, ...context.begun], knowledge.length > 0);
      let room = roomIn(windowTokens, RESULTS_SHARE);

      async function answerCalls(calls: readonly ModelToolCall[], step: number): Promise<Turn[]> {
        const results = await Promise.all(
          calls.map(async (call, index): Promise<ToolResult> => {
            onProgress?.({
              event: 'tool.call',
              data: { step, id: call.id, tool: call.name, arguments: call.arguments },
            });
            const result = index < MOST_CALLS ? await callTool(call, taint) : TOO_MANY_CALLS;
            onProgress?.({ event: 'tool.result', data: { step, id: call.id, tool: call.name, ok: result.ok } });
            return result;
          }),
        );
        return results.map((result, index): Turn => {
          const { ok, content: text, untrusted } = room < LEAST_RESULT_CHARACTERS ? NO_ROOM : result;
          const part = storableText(text.length > room ? `${text.slice(0, room)} … (cut)` : text);
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

      for (let step = 1; ; step += 1) {
        const key = idempotencyKey !== undefined && step > 1 ? `${idempotencyKey}:step-${step}` : idempotencyKey;
        const request: ModelRequest = {
          model,
          messages,
          ...definitionsOf(tools),
          ...(key !== undefined && { idempotencyKey: key }),
          ...(signal && { signal }),
        };
        const onText = onProgress && ((delta: string) => onProgress({ event: 'message.delta', data: { step, delta } }));
        const onCut = (use: ModelUse) => contexts.recordUsage(caller, agent, 'agent_step', use);
        const answer = await models.complete(request, { onText, onCut });
        const isLast = answer.toolCalls.length === 0 || step === MOST_STEPS;
        await contexts.recordUsage(caller, agent, isLast ? 'agent_message' : 'agent_step', answer);
        signal?.throwIfAborted();
        const untrusted = isTainted(taint);
        if (answer.toolCalls.length === 0) return { ...answer, text: answerText(answer), untrusted };
        if (step === MOST_STEPS) {
          onProgress?.({ event: 'message.delta', data: { step, delta: answer.text ? `\n\n${STOPPED}` : STOPPED } });
          const text = [storableText(answer.text).trim(), STOPPED].filter(Boolean).join('\n\n');
          return { ...answer, text, untrusted };
        }
        const toolCalls = withOwnIds(answer.toolCalls);
        const calling: Turn = { role: 'assistant', content: storableText(answer.text), toolCalls, untrusted };
        const turns = [calling, ...(await answerCalls(toolCalls, step))];
        await contexts.addStep(context.id, answer, turns);
        messages.push(...turns.map(toModelMessage));
        taint = taintedFurther(taint, turns);
      }
    },
  };
}
export type RunService = ReturnType<typeof createRunService>;

const definitionsOf = ({ definitions }: ModelTools) => (definitions.length === 0 ? {} : { tools: definitions });

const ID_LENGTH = 100;

/** Gives each of the first tool calls an id of its own: some servers omit or repeat them, and an answer must name one call. */
function withOwnIds(calls: readonly ModelToolCall[]): ModelToolCall[] {
  const taken = new Set<string>();
  return calls.slice(0, MOST_KEPT_CALLS).map(({ id, name, arguments: args }) => {
    const own = /^[\x21-\x7e]+$/.test(id) && id.length <= ID_LENGTH && !taken.has(id) ? id : `call_${newId()}`;
    taken.add(own);
    const kept = { name: name.slice(0, NAME_LENGTH), arguments: args.slice(0, ARGUMENTS_LENGTH) };
    return { id: own, name: storableText(kept.name), arguments: storableText(kept.arguments) };
  });
}
