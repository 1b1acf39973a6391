import { route, type Route } from '@millwright/http';
import { chatEvents } from './chat-events.js';
import { createChatCompletion } from './chat.contract.js';
import type { ChatService } from './chat.service.js';

export const chatRoutes = (service: ChatService): Route[] => [
  route(
    createChatCompletion,
    async ({ commit, ...call }) => {
      const { completion, store, complete } = await service.answer(call);
      return store(() =>
        commit(async (tx) => {
          await complete(tx);
          return { body: completion };
        }),
      );
    },
    chatEvents,
  ),
];
