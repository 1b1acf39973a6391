import type { Caller } from '@millwright/auth';
import { encodeId, newId, type Tx } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import type { Guards } from '@millwright/guards';
import type { ProjectModels, ToolChoice } from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import { conversationAbout, type ConversationStore } from '../conversations/conversations.store.js';
import type { RequireContinuable } from '../conversations/require-continuable.js';
import { guardRequest } from './guard-request.js';
import type { OpenGuards } from '../guards/prompt-guards.js';
import type { NewMessage } from '../conversations/messages.store.js';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import type { Reader } from '../references/references.store.js';
import type { HistoryMessage } from '../runs/fit-history.js';
import type { RunOutcome, RunService } from '../runs/run.service.js';
import { outputForm, requireUsableSchema } from '../runs/output-form.js';
import { recordRun } from '../runs/runs.store.js';
import type { VersionChoice } from '../prompts/choose-version.js';
import type { ResponseEvents } from './response-events.js';
import { begun, completed } from './response-object.js';
import { createResponse, type ResponseObject } from './responses.contract.js';
import { isDecision, isReference, type InputItem, type Requested, type ResponseRequest } from './response-request.js';
import { messageOfItem, toItems, type Item } from '../conversations/items.js';
import type { ResponsePlace, ResponseStore } from './responses.store.js';
import { inRequestTerms, structuredData, toNewMessage } from './to-run.js';
import { parseModelName, wantedVersion } from '../models/model-name.js';
import type { FileReader } from '../models/file-reader.js';
import { modelTools } from '../models/model-tools.js';
import type { NamedModelStore } from '../models/named-models.store.js';
import { splitMessages, unansweredOutput } from '../runs/split-messages.js';

export interface ResponseServiceDeps {
  models: ProjectModels;
  choice: VersionChoice;
  named: Pick<NamedModelStore, 'requirePrompt'>;
  conversations: ConversationStore;
  requireContinuable: RequireContinuable;
  responses: ResponseStore;
  runner: RunService;
  openGuards: OpenGuards;
  validator: Pick<SchemaValidator, 'of'>;
  fileReader: FileReader;
}

/** Reason in the error when a request decides about calls of a response that requests no decisions. */
export const FOR_WAITING =
  'is for a response that requests decisions: of an agent, by its model, or with tools of type mcp';

/** The conversation that a response continues. */
export interface Past {
  conversationId: string | undefined;
  /** `seq` of the message that the response follows; by default the last message. */
  seq?: number;
  history: readonly HistoryMessage[];
  /** Number of older turns that are left out. */
  unread: number;
}

/** A request with the records that it names, and with the texts that the guards have redacted. */
export interface PreparedResponse {
  body: ResponseRequest;
  /** Prompt that the request names; undefined when the request names a model. */
  prompt: StoredPrompt | undefined;
  past: Past;
  /** The model that the request names; the default model when the request names no model. */
  model: string;
  /** Name of the model that answers. When the request names a prompt as its model, the default model answers. */
  runModel: string;
  guards: Guards;
  /** Messages of the request. The guards have redacted them, except the user's last message, which the run checks. */
  items: HistoryMessage[];
  shown: ResponseRequest;
}

/** A response that is not stored yet. */
export interface AnsweredResponse {
  uuid: string;
  messageId: string;
  draft: ResponseObject;
  /** Prompt that the run executes; undefined when the request names a model. */
  prompt: StoredPrompt | undefined;
  outcome: RunOutcome;
  past: Past;
  /** Messages of the request. */
  items: readonly HistoryMessage[];
}

/** A response at the start of its run. */
export interface StartedResponse {
  uuid: string;
  draft: ResponseObject;
  prompt: StoredPrompt | undefined;
  past: Past;
}

export interface AnswerRequest {
  caller: Caller;
  principal: Reader;
  body: Requested;
  idempotencyKey: string | undefined;
  events: ResponseEvents | undefined;
  /**
   * Called before the first call of the model, for a response that is stored at its start. The function may set the conversation and the
   * `seq` of `past`.
   */
  onStart?: ((started: StartedResponse) => Promise<void>) | undefined;
}

/** Maps OpenAI's responses to runs of models and prompts, and their chains to conversations. */
export function createResponseService(deps: ResponseServiceDeps) {
  const { models, choice, named, conversations, requireContinuable, responses, runner, openGuards, validator } = deps;
  const { fileReader } = deps;

  async function pastOf(caller: Caller, body: ResponseRequest): Promise<Past> {
    const { project } = caller;
    const { previous_response_id: previous, conversation } = body;
    if (previous !== undefined && conversation !== undefined)
      throw invalidField('previous_response_id', 'cannot be given together with conversation');
    if (conversation !== undefined && body.store === false)
      throw invalidField('store', 'must not be false, because a conversation keeps its messages');
    const resource = conversation ?? previous;
    if (resource !== undefined)
      await requireContinuable(caller, {
        action: createResponse.operationId,
        resource: resource.slice(0, 500),
        stored: body.store !== false,
      });
    if (conversation !== undefined) {
      const found = await conversations.history(project, conversation);
      if (!found) throw invalidField('conversation', 'does not exist');
      return { conversationId: conversation, ...found };
    }
    if (previous === undefined) return { conversationId: undefined, history: [], unread: 0 };
    const place = await responses.placeOf(project, previous);
    if (place?.isPending) throw invalidField('previous_response_id', 'is of a response without an answer');
    const found = place && (await conversations.history(project, place.conversationId, place.seq));
    if (!found) throw invalidField('previous_response_id', 'does not exist');
    if (body.store !== false) await conversations.requireRoom(place.conversationId, place.seq);
    return { conversationId: place.conversationId, seq: place.seq, ...found };
  }

  /** Reads the stored items with these ids. @throws AppError forbidden; validation_error when the items have more than 8 MiB together */
  async function knownItems(caller: Caller, wanted: readonly string[]): Promise<Map<string, Item>> {
    const resource = wanted.join(' ').slice(0, 500);
    await requireContinuable(caller, { action: createResponse.operationId, resource, stored: false });
    const ids = wanted.flatMap((id) => messageOfItem(id)?.uuid ?? []);
    const rows = await conversations.messagesById(caller.project, [...new Set(ids)]);
    if (!rows) throw invalidField('input', 'refers to more than 8 MiB of kept messages');
    return new Map(rows.flatMap(toItems).map((item) => [item.id, item]));
  }

  /** Replaces the references in a request by the messages and calls that they name. */
  async function resolved(caller: Caller, body: Requested): Promise<ResponseRequest> {
    if (!Array.isArray(body.input)) return { ...body, input: body.input };
    const wanted = body.input.flatMap((item) => (isReference(item) ? item.id : []));
    const known = wanted.length === 0 ? undefined : await knownItems(caller, wanted);
    const input = body.input.map((item, index): InputItem => {
      if (isDecision(item)) throw invalidField(`input.${index}`, FOR_WAITING);
      if (!isReference(item)) return item;
      const found = known?.get(item.id);
      if (!found) throw invalidField(`input.${index}.id`, 'names no item that is kept');
      return found;
    });
    return { ...body, input };
  }

  /** Reads the prompt that the request names in `prompt` or in `model`; `undefined` when the request names a model. */
  async function promptOf({ project }: Caller, { prompt, model: name }: ResponseRequest) {
    if (prompt) return choice.choose(project, prompt.id, [wantedVersion(prompt.version, 'prompt.version')]);
    const model = parseModelName(name);
    if (model.kind === 'agent') throw invalidField('model', 'is an agent, which has no prompt');
    if (model.kind === 'model') return undefined;
    const { key } = await named.requirePrompt(project, model.idOrSlug);
    return choice.choose(project, key, [model.wanted]);
  }

  /** Reads the records that a request names, and lets the guards redact its texts. */
  async function prepare(caller: Caller, requested: Requested): Promise<PreparedResponse> {
    if (requested.background && requested.store === false)
      throw invalidField('store', 'must not be false with background');
    const body = await resolved(caller, requested);
    const prompt = await promptOf(caller, body);
    if (!prompt && (body.input === undefined || body.input.length === 0)) throw invalidField('input', 'is required');
    const format = body.text?.format;
    if (format?.type === 'json_schema')
      await requireUsableSchema(validator, caller.project, format.schema, 'text.format.schema');
    const past = await pastOf(caller, body);
    const { defaultModel } = await models.of(caller.project);
    const model = body.model ?? defaultModel;
    const guards = await openGuards(caller, prompt?.id ?? model);
    const { items, shown } = await guardRequest(guards, body, fileReader(caller));
    if (unansweredOutput([...past.history, ...items]) !== undefined)
      throw invalidField('input', 'has an output whose call_id names no call');
    const runModel = prompt && !body.prompt ? defaultModel : model;
    return { body, prompt, past, model, runModel, guards, items, shown };
  }

  async function answer(request: AnswerRequest): Promise<AnsweredResponse> {
    const { caller, principal, idempotencyKey, events, onStart } = request;
    const { body, prompt, past, model, guards, items, shown } = await prepare(caller, request.body);
    const all = [...past.history, ...items];
    // Outputs of functions continue the turn of the user's last message, which may belong to an earlier response.
    const isContinued = items.at(-1)?.role === 'tool';
    const split = splitMessages(isContinued ? all : items);
    const history = isContinued ? split.history : [...past.history, ...split.history];
    const toolChoice = toToolChoice(body.tool_choice);
    const functions = (body.tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool] : []));
    const tools = await modelTools(functions, toolChoice, guards);
    const form = outputForm(body.text?.format);
    const [uuid, messageId] = [newId(), newId()];
    const draft = begun(uuid, shown, model, new Date());
    events?.begin(
      draft,
      encodeId('msg', messageId),
      // Text of a background response is not sent as it arrives: when its events are sent again, they must have the same numbers.
      form === undefined && !draft.background && !(prompt && Object.keys(prompt.output.resolved_schema).length > 0),
    );
    const outcome = await runner.run(principal, prompt, {
      caller,
      guards,
      input: {
        message: split.message,
        ...(prompt && body.prompt && { structured_data: structuredData(prompt, body.prompt) }),
      },
      images: split.images,
      history,
      after: split.after,
      unread: past.unread,
      model: prompt && !body.prompt ? undefined : body.model,
      instructions: [...(shown.instructions === undefined ? [] : [shown.instructions]), ...split.instructions],
      tools,
      toolChoice,
      parallelToolCalls: body.parallel_tool_calls,
      sampling: { topP: body.top_p, reasoningEffort: body.reasoning?.effort, verbosity: body.text?.verbosity },
      temperature: body.temperature,
      maxTokens: body.max_output_tokens,
      output: form,
      wholeHistory: body.truncation === 'disabled',
      idempotencyKey,
      progress: events,
      channel: 'responses',
      conversationId: draft.store ? past.conversationId : undefined,
      keepsContent: draft.store,
      runId: uuid,
      onStart: onStart && (() => onStart({ uuid, draft, prompt, past })),
    });
    return { uuid, messageId, draft, prompt, outcome, past, items };
  }

  return {
    prepare,
    addTurns,

    /** Answers a request. @throws AppError, whose fields are named like those of the request */
    answer: (request: AnswerRequest): Promise<AnsweredResponse> =>
      answer(request).catch((error: unknown) => {
        throw inRequestTerms(error);
      }),

    /** Stores a response in progress, in the conversation that it continues or in a new conversation. */
    async begin(tx: Tx, caller: Caller, { uuid, draft, prompt, past }: StartedResponse): Promise<ResponseObject> {
      if (past.conversationId === undefined) {
        const { id } = await conversations.create(tx, caller, titleOf(prompt, draft.model), []);
        past.conversationId = id;
        past.seq = 0;
      }
      const place = { conversationId: past.conversationId, seq: past.seq ?? 0 };
      const response = { ...draft, conversation: { id: place.conversationId } };
      await responses.add(tx, caller.project, uuid, place, response);
      return response;
    },

    /** Stores the new messages and the response. */
    async store(tx: Tx, caller: Caller, answered: AnsweredResponse): Promise<ResponseObject> {
      const { uuid, messageId, draft, outcome } = answered;
      const place = draft.store ? await converse(tx, caller, answered) : undefined;
      const response = completed(draft, {
        outcome,
        messageId,
        conversation: place?.conversationId,
        at: new Date(),
      });
      if (place && draft.background) await responses.complete(tx, uuid, place, response);
      else if (place) await responses.add(tx, caller.project, uuid, place, response);
      const stored = place && { conversationId: place.conversationId, messageId };
      await recordRun(tx, caller, outcome.run, outcome.answer, stored, { response: draft.id });
      return response;
    },
  };

  async function converse(tx: Tx, caller: Caller, answered: AnsweredResponse): Promise<ResponsePlace> {
    const { messageId, prompt, outcome, past, items } = answered;
    const { answer: reply, userContent } = outcome;
    const { model, toolCalls } = reply;
    const turns: NewMessage[] = [
      ...askedTurns(items, userContent, model),
      {
        ...toNewMessage({ role: 'assistant', content: reply.refusal || reply.text, tool_calls: [...toolCalls] }),
        id: messageId,
        model,
      },
    ];
    return addTurns(tx, caller, { prompt, past, model }, turns);
  }

  /** Adds turns to the conversation that a response continues, or to a new conversation. */
  async function addTurns(
    tx: Tx,
    caller: Caller,
    { prompt, past, model }: Pick<PreparedResponse, 'prompt' | 'past' | 'model'>,
    turns: readonly NewMessage[],
  ): Promise<ResponsePlace> {
    const { id, lastSeq } = past.conversationId
      ? await conversations.extend(tx, caller, past.conversationId, turns, past.seq)
      : await conversations.create(tx, caller, titleOf(prompt, model), turns);
    return { conversationId: id, seq: lastSeq };
  }
}

/** Returns the turns to store before an answer: the messages of the request, with the user's last message in the form that the model received. */
export function askedTurns(items: readonly HistoryMessage[], userContent: string, model: string): NewMessage[] {
  const asked = items.findLastIndex(({ role }) => role === 'user');
  const given = items.map((item, index) => (index === asked ? { ...item, content: userContent } : item));
  // Without a user message in the request, the text that the prompt itself rendered is stored as the user's turn.
  if (asked === -1 && items.at(-1)?.role !== 'tool') given.push({ role: 'user', content: userContent });
  return given.map((item) => ({ ...toNewMessage(item), model }));
}

const titleOf = (prompt: StoredPrompt | undefined, model: string) =>
  conversationAbout(prompt ?? { metadata: { title: model } });

const toToolChoice = (choice: ResponseRequest['tool_choice']): ToolChoice | undefined =>
  typeof choice === 'object' ? { name: choice.name } : choice;

export type ResponseService = ReturnType<typeof createResponseService>;
