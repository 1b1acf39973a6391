import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { newId, storableText } from '@millwright/db';
import type { ModelAnswer, ModelMessage, ModelRequest, Models, ModelToolCall } from '@millwright/models';
import type { OfferedTools } from '../tools/offer-tools.js';
import { failed, type ToolResult } from '../tools/tool.js';
import type { Workplace } from '../tools/workplace.js';
import { answerText } from './answer-text.js';
import type { ContextStore, OpenedContext } from './contexts.store.js';
import { modelMessages, roomIn } from './instructions.js';
import type { Progress } from './messages.contract.js';
import { toModelMessage, type Turn } from './turn.js';

/** Calls of the model for one message. */
const MOST_STEPS = 8;
/** Calls of tools in one step; more are refused, which the model is told. */
const MOST_CALLS = 16;
/** Of the window: what all tools' answers of a run may take. */
const RESULTS_SHARE = 0.25;
/** Less than this is no answer any more. */
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
  /** Told of what happens, as it happens; with it the model is asked for a stream. */
  report: ((progress: Progress) => void) | undefined;
  /** Ends the run before its next call of model or tools, and the call of the model that is under way. */
  signal?: AbortSignal | undefined;
}

/** Runs an agent for one message: its model, its knowledge and its tools, until the model has an answer. */
export function createRunService(models: Models, contexts: ContextStore, openWorkplace: Workplace) {
  async function ask(request: ModelRequest, step: number, report: RunRequest['report']): Promise<ModelAnswer> {
    if (!report) return models.complete(request);
    for await (const event of models.stream(request)) {
      if (event.type === 'answer') return event.answer;
      report({ event: 'message.delta', data: { step, delta: event.delta } });
    }
    throw new Error('a stream of the model ended without its answer');
  }

  return {
    /**
     * The last answer, its text one that can be stored. Every step before it is kept in the context already.
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
      report,
      signal,
    }: RunRequest): Promise<ModelAnswer> {
      const windowTokens = models.contextWindow(model);
      const { tools, knowledge, callTool } = await openWorkplace(caller, agent, content);
      const messages: ModelMessage[] = modelMessages(agent, knowledge, { ...context, content }, windowTokens);
      let room = roomIn(windowTokens, RESULTS_SHARE);

      async function answerCalls(calls: readonly ModelToolCall[], step: number): Promise<Turn[]> {
        const results = await Promise.all(
          calls.map(async (call, index): Promise<ToolResult> => {
            report?.({ event: 'tool.call', data: { step, id: call.id, tool: call.name, arguments: call.arguments } });
            const result = index < MOST_CALLS ? await callTool(call) : TOO_MANY_CALLS;
            report?.({ event: 'tool.result', data: { step, id: call.id, tool: call.name, ok: result.ok } });
            return result;
          }),
        );
        return results.map((result, index): Turn => {
          const { content: text } = room < LEAST_RESULT_CHARACTERS ? NO_ROOM : result;
          const part = storableText(text.length > room ? `${text.slice(0, room)} … (cut)` : text);
          room -= part.length;
          return { role: 'tool', content: part, callId: calls[index]?.id ?? '' };
        });
      }

      for (let step = 1; ; step += 1) {
        const key = idempotencyKey !== undefined && step > 1 ? `${idempotencyKey}:step-${step}` : idempotencyKey;
        const request: ModelRequest = {
          model,
          messages,
          ...offered(tools),
          ...(key !== undefined && { idempotencyKey: key }),
          ...(signal && { signal }),
        };
        const answer = await ask(request, step, report);
        signal?.throwIfAborted();
        if (answer.toolCalls.length === 0) return { ...answer, text: answerText(answer) };
        if (step === MOST_STEPS) {
          report?.({ event: 'message.delta', data: { step, delta: answer.text ? `\n\n${STOPPED}` : STOPPED } });
          return { ...answer, text: [storableText(answer.text).trim(), STOPPED].filter(Boolean).join('\n\n') };
        }
        const toolCalls = withOwnIds(answer.toolCalls);
        const asked: Turn = { role: 'assistant', content: storableText(answer.text), toolCalls };
        const turns = [asked, ...(await answerCalls(toolCalls, step))];
        await contexts.addStep(caller, agent, context.id, answer, turns);
        messages.push(...turns.map(toModelMessage));
      }
    },
  };
}
export type RunService = ReturnType<typeof createRunService>;

const offered = ({ definitions }: OfferedTools) => (definitions.length === 0 ? {} : { tools: definitions });

const ID_LENGTH = 100;

/** Some servers leave out the ids of calls or repeat them; an answer has to find the one call that it answers. */
function withOwnIds(calls: readonly ModelToolCall[]): ModelToolCall[] {
  const taken = new Set<string>();
  return calls.map(({ id, name, arguments: args }) => {
    const own = /^[\x21-\x7e]+$/.test(id) && id.length <= ID_LENGTH && !taken.has(id) ? id : `call_${newId()}`;
    taken.add(own);
    return { id: own, name: storableText(name), arguments: storableText(args) };
  });
}
