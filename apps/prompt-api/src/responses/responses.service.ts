import type { Caller } from '@millwright/auth';
import { encodeId, newId, type Tx } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import type { Models } from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import { conversationAbout, type ConversationStore } from '../conversations/conversations.store.js';
import type { MayContinue } from '../conversations/may-continue.js';
import type { NewMessage } from '../conversations/messages.store.js';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import type { Reader } from '../references/references.store.js';
import type { HistoryMessage } from '../runs/fit-history.js';
import type { RunOutcome, RunService } from '../runs/run.service.js';
import { recordRun } from '../runs/runs.store.js';
import type { VersionChoice } from '../versions/choose-version.js';
import type { ResponseEvents } from './response-events.js';
import { begun, completed } from './response-object.js';
import type { ResponseRequest } from './response-request.js';
import { createResponse, type ResponseObject } from './responses.contract.js';
import type { ResponsePlace, ResponseStore } from './responses.store.js';
import { inRequestTerms, outputForm, splitInput, structuredData, wantedVersion } from './to-run.js';

export interface ResponseServiceDeps {
  models: Models;
  choice: VersionChoice;
  conversations: ConversationStore;
  mayContinue: MayContinue;
  responses: ResponseStore;
  runner: RunService;
  validator: Pick<SchemaValidator, 'compile'>;
}

/** What a response goes on from. */
interface Past {
  conversationId: string | undefined;
  /** Behind which of its messages; without it behind all. */
  seq?: number;
  history: readonly HistoryMessage[];
  /** Turns before those. */
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
  /** Of the request's own messages, those before the user's newest. */
  earlier: readonly HistoryMessage[];
}

/** OpenAI's responses as runs of stored prompts, and their chains and conversations as conversations. */
export function createResponseService(deps: ResponseServiceDeps) {
  const { models, choice, conversations, mayContinue, responses, runner, validator } = deps;

  async function pastOf(caller: Caller, body: ResponseRequest): Promise<Past> {
    const { project } = caller;
    const { previous_response_id: previous, conversation } = body;
    if (previous !== undefined && conversation !== undefined)
      throw invalidField('previous_response_id', 'cannot be given together with conversation');
    if (conversation !== undefined && body.store === false)
      throw invalidField('store', 'must not be false, because a conversation keeps its messages');
    const resource = conversation ?? previous;
    if (resource !== undefined)
      await mayContinue(caller, {
        action: createResponse.operationId,
        resource: resource.slice(0, 500),
        kept: body.store !== false,
      });
    if (conversation !== undefined) {
      const told = await conversations.history(project, conversation);
      if (!told) throw invalidField('conversation', 'does not exist');
      return { conversationId: conversation, ...told };
    }
    if (previous === undefined) return { conversationId: undefined, history: [], unread: 0 };
    const place = await responses.placeOf(project, previous);
    const told = place && (await conversations.history(project, place.conversationId, place.seq));
    if (!told) throw invalidField('previous_response_id', 'does not exist');
    return { ...place, ...told };
  }

  async function requireUsableFormat(body: ResponseRequest): Promise<void> {
    const format = body.text?.format;
    if (format?.type !== 'json_schema') return;
    const [fault] = await validator.compile(format.schema);
    if (!fault) return;
    throw invalidField(['text.format.schema', fault.path].filter((part) => part !== '').join('.'), fault.reason);
  }

  async function answer(
    { caller, principal }: { caller: Caller; principal: Reader },
    body: ResponseRequest,
    idempotencyKey: string | undefined,
    events: ResponseEvents | undefined,
  ): Promise<AnsweredResponse> {
    const prompt = await choice.choose(caller.project, body.prompt.id, [wantedVersion(body.prompt)]);
    await requireUsableFormat(body);
    const past = await pastOf(caller, body);
    const { earlier, message } = splitInput(body.input);
    const form = outputForm(body.text?.format);
    const [uuid, messageId] = [newId(), newId()];
    const draft = begun(uuid, body, body.model ?? models.defaultModel, new Date());
    events?.begin(
      draft,
      encodeId('msg', messageId),
      form === undefined && Object.keys(prompt.output.resolved_schema).length === 0,
    );
    const outcome = await runner.run(principal, prompt, {
      input: { message, structured_data: structuredData(prompt, body.prompt) },
      history: [...past.history, ...earlier],
      unread: past.unread,
      model: body.model,
      instructions: body.instructions,
      temperature: body.temperature,
      maxTokens: body.max_output_tokens,
      output: form,
      wholeHistory: body.truncation === 'disabled',
      idempotencyKey,
      progress: events,
    });
    return { uuid, messageId, draft, prompt, outcome, past, earlier };
  }

  return {
    /** @throws AppError in the terms of the request. */
    answer: (...args: Parameters<typeof answer>): Promise<AnsweredResponse> =>
      answer(...args).catch((error: unknown) => {
        throw inRequestTerms(error);
      }),

    /** Keeps what was said in the conversation, the response, and what it used. */
    async store(tx: Tx, caller: Caller, answered: AnsweredResponse): Promise<ResponseObject> {
      const { uuid, messageId, draft, prompt, outcome } = answered;
      const place = draft.store ? await converse(tx, caller, answered) : undefined;
      const response = completed(draft, {
        outcome,
        messageId,
        conversation: place?.conversationId,
        at: new Date(),
      });
      if (place) await responses.add(tx, caller.project, uuid, place, response);
      const detail: Record<string, string> = place ? { conversation: place.conversationId } : {};
      await recordRun(tx, caller, prompt, outcome.answer, { response: draft.id, ...detail });
      return response;
    },
  };

  async function converse(tx: Tx, caller: Caller, answered: AnsweredResponse): Promise<ResponsePlace> {
    const { messageId, prompt, outcome, past, earlier } = answered;
    const { answer: said } = outcome;
    const turns: NewMessage[] = [
      ...earlier.map(({ role, content }) => ({ role, content, model: said.model })),
      { role: 'user', content: outcome.userContent, model: said.model },
      { id: messageId, role: 'assistant', content: said.refusal || said.text, model: said.model },
    ];
    const { id, lastSeq } = past.conversationId
      ? await conversations.extend(tx, caller, past.conversationId, turns, past.seq)
      : await conversations.create(tx, caller, conversationAbout(prompt), turns);
    return { conversationId: id, seq: lastSeq };
  }
}
export type ResponseService = ReturnType<typeof createResponseService>;
