import type { Caller } from '@millwright/auth';
import { encodeId, newId, type Tx } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import type { ProjectModels } from '@millwright/models';
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
import type { VersionChoice } from '../versions/choose-version.js';
import type { ResponseEvents } from './response-events.js';
import { begun, completed } from './response-object.js';
import type { ResponseRequest } from './response-request.js';
import { createResponse, type ResponseObject } from './responses.contract.js';
import type { ResponsePlace, ResponseStore } from './responses.store.js';
import { inRequestTerms, splitInput, structuredData } from './to-run.js';
import { wantedVersion } from '../models/model-name.js';

export interface ResponseServiceDeps {
  models: ProjectModels;
  choice: VersionChoice;
  conversations: ConversationStore;
  requireContinuable: RequireContinuable;
  responses: ResponseStore;
  runner: RunService;
  openGuards: OpenGuards;
  validator: Pick<SchemaValidator, 'of'>;
}

/** The conversation that a response continues. */
interface Past {
  conversationId: string | undefined;
  /** Place of the message that the response follows; the last one when left out. */
  seq?: number;
  history: readonly HistoryMessage[];
  /** Number of older turns that are left out. */
  unread: number;
}

/** A response that is not stored yet. */
export interface AnsweredResponse {
  uuid: string;
  messageId: string;
  draft: ResponseObject;
  prompt: StoredPrompt;
  outcome: RunOutcome;
  past: Past;
  /** The request's own messages before the user's newest one. */
  earlier: readonly HistoryMessage[];
}

/** Maps OpenAI's responses to runs of stored prompts, and their chains to conversations. */
export function createResponseService(deps: ResponseServiceDeps) {
  const { models, choice, conversations, requireContinuable, responses, runner, openGuards, validator } = deps;

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
    const found = place && (await conversations.history(project, place.conversationId, place.seq));
    if (!found) throw invalidField('previous_response_id', 'does not exist');
    if (body.store !== false) await conversations.requireRoom(place.conversationId, place.seq);
    return { ...place, ...found };
  }

  async function answer(
    { caller, principal }: { caller: Caller; principal: Reader },
    body: ResponseRequest,
    idempotencyKey: string | undefined,
    events: ResponseEvents | undefined,
  ): Promise<AnsweredResponse> {
    const prompt = await choice.choose(caller.project, body.prompt.id, [
      wantedVersion(body.prompt.version, 'prompt.version'),
    ]);
    const format = body.text?.format;
    if (format?.type === 'json_schema')
      await requireUsableSchema(validator, caller.project, format.schema, 'text.format.schema');
    const past = await pastOf(caller, body);
    const guards = await openGuards(caller, prompt.id);
    const { earlier, shown } = await guardRequest(guards, body);
    const { message } = splitInput(body.input);
    const form = outputForm(body.text?.format);
    const [uuid, messageId] = [newId(), newId()];
    const draft = begun(uuid, shown, body.model ?? (await models.of(caller.project)).defaultModel, new Date());
    events?.begin(
      draft,
      encodeId('msg', messageId),
      form === undefined && Object.keys(prompt.output.resolved_schema).length === 0,
    );
    const outcome = await runner.run(principal, prompt, {
      caller,
      guards,
      input: { message, structured_data: structuredData(prompt, body.prompt) },
      history: [...past.history, ...earlier],
      unread: past.unread,
      model: body.model,
      instructions: shown.instructions === undefined ? [] : [shown.instructions],
      temperature: body.temperature,
      maxTokens: body.max_output_tokens,
      output: form,
      wholeHistory: body.truncation === 'disabled',
      idempotencyKey,
      progress: events,
      channel: 'responses',
      conversationId: draft.store ? past.conversationId : undefined,
      keepsContent: draft.store,
    });
    return { uuid, messageId, draft, prompt, outcome, past, earlier };
  }

  return {
    /** @throws AppError whose field names are those of this endpoint's request. */
    answer: (...args: Parameters<typeof answer>): Promise<AnsweredResponse> =>
      answer(...args).catch((error: unknown) => {
        throw inRequestTerms(error);
      }),

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
      if (place) await responses.add(tx, caller.project, uuid, place, response);
      const stored = place && { conversationId: place.conversationId, messageId };
      await recordRun(tx, caller, outcome.run, outcome.answer, stored, { response: draft.id });
      return response;
    },
  };

  async function converse(tx: Tx, caller: Caller, answered: AnsweredResponse): Promise<ResponsePlace> {
    const { messageId, prompt, outcome, past, earlier } = answered;
    const { answer: reply } = outcome;
    const turns: NewMessage[] = [
      ...earlier.map(({ role, content }) => ({ role, content, model: reply.model })),
      { role: 'user', content: outcome.userContent, model: reply.model },
      { id: messageId, role: 'assistant', content: reply.refusal || reply.text, model: reply.model },
    ];
    const { id, lastSeq } = past.conversationId
      ? await conversations.extend(tx, caller, past.conversationId, turns, past.seq)
      : await conversations.create(tx, caller, conversationAbout(prompt), turns);
    return { conversationId: id, seq: lastSeq };
  }
}
export type ResponseService = ReturnType<typeof createResponseService>;
