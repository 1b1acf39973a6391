import type { Caller } from '@millwright/auth';
import { newId, encodeId, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { ModelAnswer, ModelSampling, ProjectModels, ModelUsage, ToolChoice } from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import type { OpenGuards } from '../guards/prompt-guards.js';
import { modelTools } from '../models/model-tools.js';
import { parseModelName } from '../models/model-name.js';
import type { NamedModelStore } from '../models/named-models.store.js';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import type { Reader } from '../references/references.store.js';
import type { HistoryMessage } from '../runs/fit-history.js';
import { outputForm, requireUsableSchema } from '../runs/output-form.js';
import type { RunService } from '../runs/run.service.js';
import { recordRun } from '../runs/runs.store.js';
import { guardMessages, splitMessages, unansweredOutput } from '../runs/split-messages.js';
import type { VersionChoice } from '../prompts/choose-version.js';
import { agentMessages } from './agent-messages.js';
import type { AgentRuns } from './agent-runs.js';
import type { ChatEvents } from './chat-events.js';
import { FINISH_REASONS, type ChatCompletion } from './chat.contract.js';
import type { ChatMessage, ChatRequest } from './chat-request.js';
import type { FileReader, ReadFile } from '../models/file-reader.js';
import { requireFewImages, requireImage, textAndImages, type TextOrImage } from '../models/text-and-images.js';

export interface ChatServiceDeps {
  models: ProjectModels;
  choice: VersionChoice;
  named: Pick<NamedModelStore, 'requirePrompt'>;
  runner: RunService;
  agents: AgentRuns;
  openGuards: OpenGuards;
  validator: Pick<SchemaValidator, 'of'>;
  fileReader: FileReader;
}

export interface ChatCall {
  caller: Caller;
  principal: Reader;
  body: ChatRequest;
  idempotencyKey: string | undefined;
  events: ChatEvents | undefined;
  signal: AbortSignal;
}

/** A completion that is not stored yet. */
export interface AnsweredChat {
  completion: ChatCompletion;
  /** Executes `work`, the last part of the run. The transaction in `work` must store the answer and call `complete`. */
  store: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Ends the run in the transaction that stores the answer. */
  complete: (tx: Tx) => Promise<void>;
}

type Head = Pick<ChatCompletion, 'id' | 'created' | 'model'>;

/** Maps OpenAI's chat completions to runs of models, prompts and agents. */
export function createChatService(deps: ChatServiceDeps) {
  const { models, choice, named, runner, agents, openGuards, validator, fileReader } = deps;

  async function answerAgent(slug: string, head: Head, call: ChatCall): Promise<AnsweredChat> {
    const { caller, body, idempotencyKey, events, signal } = call;
    requireAgentRequest(body);
    events?.begin(head, true);
    const { text, usage, run } = await agents.run({
      ...{ caller, slug, idempotencyKey, signal, channel: 'chat' },
      messages: agentMessages(await toHistory(body.messages, fileReader(caller)), 'messages'),
      onText: events && ((delta) => events.text(delta, head.model)),
    });
    const answer = { text, refusal: null, toolCalls: [], finishReason: 'stop', usage };
    return {
      completion: toCompletion(head, answer, run, []),
      store: (work) => work(),
      complete: () => Promise.resolve(),
    };
  }

  async function answerModel(prompt: StoredPrompt | undefined, head: Head, call: ChatCall): Promise<AnsweredChat> {
    const { caller, principal, body, idempotencyKey, events } = call;
    const guards = await openGuards(caller, prompt?.id ?? head.model);
    const messages = await toHistory(body.messages, fileReader(caller));
    const wrong = unansweredOutput(messages);
    if (wrong !== undefined)
      throw invalidField(`messages.${wrong}.tool_call_id`, 'names no call of the messages before it');
    const split = splitMessages(await guardMessages(guards, messages));
    const toolChoice = toToolChoice(body.tool_choice);
    const form = outputForm(toFormat(body.response_format));
    events?.begin(head, form === undefined && !(prompt && Object.keys(prompt.output.resolved_schema).length > 0));
    const outcome = await runner.run(principal, prompt, {
      ...{ caller, guards, idempotencyKey, toolChoice },
      input: { message: split.message },
      images: split.images,
      ...{ history: split.history, after: split.after, instructions: split.instructions, userName: split.userName },
      model: prompt ? undefined : head.model,
      tools: await modelTools(body.tools?.map((tool) => tool.function) ?? [], toolChoice, guards),
      parallelToolCalls: body.parallel_tool_calls,
      sampling: samplingOf(body),
      temperature: body.temperature,
      maxTokens: body.max_completion_tokens ?? body.max_tokens,
      output: form,
      wholeHistory: true,
      progress: events,
      channel: 'chat',
      keepsContent: body.store !== false,
    });
    const { answer, run, warnings } = outcome;
    const by = prompt ? head : { ...head, model: answer.model };
    return {
      completion: toCompletion(by, answer, encodeId('run', run.fence.runId), warnings),
      store: (work) => run.store(work),
      complete: (tx) => recordRun(tx, caller, run, answer, undefined, { completion: head.id }),
    };
  }

  async function answer(call: ChatCall): Promise<AnsweredChat> {
    const { caller, body } = call;
    const model = parseModelName(body.model);
    const head: Head = {
      id: `chatcmpl-${encodeId('resp', newId()).slice('resp_'.length)}`,
      created: Math.floor(Date.now() / 1_000),
      model: body.model ?? (await models.of(caller.project)).defaultModel,
    };
    if (model.kind === 'agent') return answerAgent(model.slug, head, call);
    const { response_format: format } = body;
    if (format?.type === 'json_schema')
      await requireUsableSchema(
        validator,
        caller.project,
        format.json_schema.schema,
        'response_format.json_schema.schema',
      );
    if (model.kind === 'model') return answerModel(undefined, head, call);
    const { key } = await named.requirePrompt(caller.project, model.idOrSlug);
    return answerModel(await choice.choose(caller.project, key, [model.wanted]), head, call);
  }

  return {
    /** Answers a request. @throws AppError, whose fields are named like those of the request */
    answer: (call: ChatCall): Promise<AnsweredChat> =>
      answer(call).catch((error: unknown) => {
        throw inChatTerms(error);
      }),
  };
}
export type ChatService = ReturnType<typeof createChatService>;

async function toParts(content: ChatMessage['content'], field: string, readFile: ReadFile): Promise<TextOrImage[]> {
  if (content === undefined || typeof content === 'string') return [{ text: content ?? '' }];
  const parts: TextOrImage[] = [];
  for (const [index, part] of content.entries()) {
    if (part.type === 'image_url')
      parts.push(requireImage(part.image_url.url, part.image_url.detail, `${field}.${index}.image_url.url`));
    else if (part.type === 'file') parts.push(await readFile(part.file, `${field}.${index}.file`));
    else parts.push({ text: part.type === 'refusal' ? part.refusal : part.text });
  }
  return parts;
}

/** @throws AppError validation_error for an image or file that cannot be read */
async function toHistory(messages: readonly ChatMessage[], readFile: ReadFile): Promise<HistoryMessage[]> {
  const history: HistoryMessage[] = [];
  for (const [index, message] of messages.entries()) history.push(await toHistoryMessage(message, index, readFile));
  requireFewImages(history, 'messages');
  return history;
}

async function toHistoryMessage(message: ChatMessage, index: number, readFile: ReadFile): Promise<HistoryMessage> {
  const isOutput = message.role === 'tool';
  const parts = await toParts(message.content, `messages.${index}.content`, readFile);
  const { content, ...images } = textAndImages(parts, isOutput);
  if (isOutput) return { role: 'tool', content, ...images, tool_call_id: message.tool_call_id };
  const named = message.name === undefined ? {} : { name: message.name };
  if (message.role !== 'assistant')
    return { role: message.role === 'user' ? 'user' : 'system', content, ...images, ...named };
  const calls = message.tool_calls?.map(({ id, function: called }) => ({ id, ...called })) ?? [];
  return {
    ...{ role: 'assistant', content: content || (message.refusal ?? '') },
    ...named,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/**
 * Refuses fields that a request to an agent must not set, because an agent has its own model, tools and parameters.
 *
 * @throws AppError validation_error for the first such field
 */
function requireAgentRequest(body: ChatRequest): void {
  const own = [
    ...(['tools', 'tool_choice', 'response_format', 'temperature', 'top_p', 'stop', 'seed', 'max_tokens'] as const),
    ...(['max_completion_tokens', 'frequency_penalty', 'presence_penalty', 'reasoning_effort', 'verbosity'] as const),
  ];
  const given = own.find((field) => {
    const value = body[field];
    return value !== undefined && !(Array.isArray(value) && value.length === 0) && value !== 'auto' && value !== 'none';
  });
  const isText = body.response_format?.type === 'text' && given === 'response_format';
  if (given !== undefined && !isText) throw invalidField(given, 'is not supported for an agent, which has its own');
  if (body.store === false)
    throw invalidField('store', 'must not be false for an agent, which keeps its conversations');
}

const toToolChoice = (choice: ChatRequest['tool_choice']): ToolChoice | undefined =>
  typeof choice === 'object' ? { name: choice.function.name } : choice;

function toFormat(format: ChatRequest['response_format']): Parameters<typeof outputForm>[0] {
  return format?.type === 'json_schema' ? { type: 'json_schema', ...format.json_schema } : format;
}

function samplingOf(body: ChatRequest): ModelSampling | undefined {
  const sampling: ModelSampling = {
    topP: body.top_p,
    stop: typeof body.stop === 'string' ? [body.stop] : body.stop,
    seed: body.seed,
    frequencyPenalty: body.frequency_penalty,
    presencePenalty: body.presence_penalty,
    reasoningEffort: body.reasoning_effort,
    verbosity: body.verbosity,
  };
  return Object.values(sampling).some((value) => value !== undefined) ? sampling : undefined;
}

type Answer = Pick<ModelAnswer, 'text' | 'refusal' | 'toolCalls' | 'finishReason'> & { usage: ModelUsage };

function toCompletion(head: Head, answer: Answer, run: string, warnings: string[]): ChatCompletion {
  const { text, refusal, toolCalls, usage } = answer;
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: args },
  }));
  const stated = FINISH_REASONS.find((reason) => reason === answer.finishReason) ?? 'stop';
  const message = {
    role: 'assistant' as const,
    content: text === '' && (calls.length > 0 || refusal) ? null : text,
    refusal,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const finish_reason = calls.length > 0 && stated === 'stop' ? 'tool_calls' : stated;
  return {
    ...{ id: head.id, object: 'chat.completion', created: head.created, model: head.model },
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    ...{ usage, run, warnings },
  };
}

const OWN_NAMES: Readonly<Record<string, string>> = {
  message: 'messages',
  version: 'model',
  label: 'model',
  prompt: 'model',
};

/** Returns the error with the field names of this API, in place of those of a run. */
function inChatTerms(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'validation_error') return error;
  const fields = error.fields.map(({ field, reason }) => ({ field: OWN_NAMES[field] ?? field, reason }));
  return new AppError('validation_error', { fields, cause: error });
}
