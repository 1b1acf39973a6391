import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { newId } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { requireAllowed } from '@millwright/guards';
import { requireFound, route, type Route } from '@millwright/http';
import {
  conversationAbout,
  type ClientMetadata,
  type ConversationHead,
  type ConversationStore,
} from '../conversations/conversations.store.js';
import { listOfItems, messageOfItem, pageOfItems, toItems, type Item } from '../conversations/items.js';
import type { NewMessage } from '../conversations/messages.store.js';
import type { FileReader } from '../models/file-reader.js';
import type { OpenGuards } from '../guards/prompt-guards.js';
import type { InputItem } from '../responses/response-request.js';
import { toMessages, toNewMessage } from '../responses/to-run.js';
import * as contract from './openai-conversations.contract.js';
import type { OpenAiConversation } from './openai-conversations.contract.js';

const ABOUT = conversationAbout({ metadata: { title: 'Conversation' } });

const toResponse = ({ id, created_at: at, client_metadata }: ConversationHead): OpenAiConversation => ({
  ...{ id, object: 'conversation', created_at: Math.floor(at.getTime() / 1_000) },
  metadata: client_metadata as ClientMetadata,
});

/** Conversations in OpenAI's form. They are the same records as those of `/v1/conversation`. */
export function openAiConversationRoutes(
  conversations: ConversationStore,
  openGuards: OpenGuards,
  fileReader: FileReader,
): Route[] {
  /** Converts items to messages for storage, whose texts the guards have redacted. @throws GuardBlocked */
  async function guarded(caller: Caller, id: string, items: readonly InputItem[]): Promise<NewMessage[]> {
    const guards = await openGuards(caller, id);
    const messages = await toMessages(items, 'items', fileReader(caller));
    const texts = messages.map(({ role, content, tool_calls, tool_call_id }) => ({
      role,
      content,
      tool_calls,
      tool_call_id,
    }));
    const allowed = requireAllowed(await guards.value('input', texts));
    return messages.map((message, index) => ({
      ...toNewMessage({ ...message, ...allowed[index] }),
      ...{ id: newId(), model: '' },
    }));
  }

  /** Returns the pairs with the texts that the guards have redacted. @throws GuardBlocked */
  async function guardedPairs(caller: Caller, id: string, pairs: ClientMetadata): Promise<ClientMetadata> {
    return requireAllowed(await (await openGuards(caller, id)).value('input', pairs));
  }

  const toOwnItems = (messages: readonly NewMessage[]): Item[] =>
    messages.flatMap(({ id = '', role, content, images = null, tool_calls = null, tool_call_id = null }) =>
      toItems({ id, role, content, images, tool_calls, tool_call_id }),
    );

  return [
    route(contract.startConversation, async ({ caller, body, commit }) => {
      const messages = await guarded(caller, 'new', body.items ?? []);
      const client_metadata = await guardedPairs(caller, 'new', body.metadata ?? {});
      return commit(async (tx) => {
        const { conversation } = await conversations.create(tx, caller, ABOUT, messages, { client_metadata });
        const { id, metadata } = conversation;
        await recordDecision(tx, { ...caller, action: 'conversation.create', resource: id });
        return { body: toResponse({ id, created_at: new Date(metadata.created), client_metadata }) };
      });
    }),

    route(contract.retrieveConversation, async ({ caller: { project }, params: { conversation_id: id } }) => ({
      body: toResponse(requireFound(await conversations.head(project, id))),
    })),

    route(contract.changeConversation, async ({ caller, params: { conversation_id: id }, body, ifMatch, commit }) => {
      const pairs = await guardedPairs(caller, id, body.metadata);
      return commit(async (tx) => ({
        body: toResponse(await conversations.label(tx, caller, { id, ifMatch }, pairs)),
      }));
    }),

    route(contract.endConversation, ({ caller, params: { conversation_id: id }, ifMatch, commit }) =>
      commit(async (tx) => {
        await conversations.remove(tx, caller, { id, ifMatch });
        return { body: { id, object: 'conversation.deleted', deleted: true } };
      }),
    ),

    route(contract.listConversationItems, async ({ caller: { project }, params: { conversation_id: id }, query }) => {
      requireFound(await conversations.head(project, id));
      const after = query.after === undefined ? undefined : messageOfItem(query.after)?.uuid;
      if (query.after !== undefined && after === undefined) throw invalidField('query.after', 'is no id of an item');
      const page = { order: query.order, limit: query.limit + 1 };
      return { body: pageOfItems(await conversations.page(id, page, after), query) };
    }),

    route(contract.addConversationItems, async ({ caller, params: { conversation_id: id }, body, commit }) => {
      const messages = await guarded(caller, id, body.items);
      return commit(async (tx) => {
        await conversations.extend(tx, caller, id, messages);
        await recordDecision(tx, { ...caller, action: 'conversation.extend', resource: id });
        return { body: listOfItems(toOwnItems(messages), false) };
      });
    }),

    route(contract.getConversationItem, async ({ caller: { project }, params }) => {
      const uuid = messageOfItem(params.item_id)?.uuid;
      const row = uuid && (await conversations.message(project, params.conversation_id, uuid));
      return { body: requireFound(row ? toItems(row).find(({ id }) => id === params.item_id) : undefined) };
    }),

    route(contract.deleteConversationItem, ({ caller, params: { conversation_id: id, item_id }, commit }) =>
      commit(async (tx) => {
        const head = await conversations.removeItem(tx, caller, id, item_id);
        await recordDecision(tx, {
          ...caller,
          action: 'conversation.delete_item',
          resource: id,
          detail: { item: item_id },
        });
        return { body: toResponse(head) };
      }),
    ),
  ];
}
