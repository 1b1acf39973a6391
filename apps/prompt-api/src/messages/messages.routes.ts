import { route, type Route } from '@millwright/http';
import type { ChatService } from '../chat/chat.service.js';
import { messageEvents } from './message-events.js';
import { createMessage } from './messages.contract.js';
import { inMessageTerms, toAnswerMessage, toChatRequest } from './to-chat.js';

/** Serves Anthropic's Messages API by converting each request to a chat completion. */
export const messageRoutes = (chat: ChatService): Route[] => [
  route(
    createMessage,
    async ({ commit, body, ...call }) => {
      const { completion, store, complete } = await chat
        .answer({ ...call, body: toChatRequest(body) })
        .catch((error: unknown) => {
          throw inMessageTerms(error);
        });
      return store(() =>
        commit(async (tx) => {
          await complete(tx);
          return { body: toAnswerMessage(completion) };
        }),
      );
    },
    messageEvents,
  ),
];
