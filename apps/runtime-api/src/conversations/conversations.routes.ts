import { Readable } from 'node:stream';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import {
  deleteConversation,
  getConversation,
  getConversationImage,
  listConversations,
  updateConversation,
} from './conversations.contract.js';
import { toImageRecord, type ContextImages } from './context-images.store.js';
import type { ConversationStore } from './conversations.store.js';

/** Endpoints for users' conversations with all agents. */
export function conversationRoutes(conversations: ConversationStore, images: ContextImages): Route[] {
  return [
    route(listConversations, async ({ caller, query }) => ({ body: await conversations.list(caller, query) })),

    route(getConversation, async ({ caller, params }) => ({
      body: await conversations.read(caller, params.context_id),
      digest: true,
    })),

    route(getConversationImage, async ({ caller, params }) => {
      const contextId = await conversations.requireReadable(caller, params.context_id);
      const found = await images.find(contextId, params.image_id);
      if (!found) throw new AppError('not_found');
      const record = toImageRecord(found);
      const open = async (range?: { start: number; end: number }) => {
        const bytes = await images.bytes(found.id);
        return Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]);
      };
      return {
        body: record,
        version: 1,
        file: { type: record.content_type, size: record.size, name: record.name, open },
      };
    }),

    route(updateConversation, ({ caller, params, body, commit }) =>
      commit(async (tx) => ({ body: await conversations.update(tx, caller, params.context_id, body) })),
    ),

    route(deleteConversation, ({ caller, params, commit }) =>
      commit(async (tx) => {
        await conversations.remove(tx, caller, params.context_id);
        return { body: { id: params.context_id } };
      }),
    ),
  ];
}
