import { requireFound, type Restore, type StoredReply } from '@millwright/http';
import { z } from 'zod';
import type { Conversation } from '../conversations/conversations.contract.js';
import type { ConversationStore } from '../conversations/conversations.store.js';

interface ShownRun {
  data: { conversation: Conversation };
}

/** `until`: `seq` of the newest message in the answer. */
const Source = z.object({ until: z.int() });

const withMessages = (run: ShownRun, message: Conversation['message']): ShownRun => ({
  ...run,
  data: { ...run.data, conversation: { ...run.data.conversation, message } },
});

/**
 * Returns the form in which a run's answer is stored: without the messages of the conversation. Storing all messages with each answer would need
 * quadratic space.
 */
export const toStored = (run: ShownRun, until: number): StoredReply => ({
  body: withMessages(run, []),
  source: { until } satisfies z.input<typeof Source>,
});

/** Returns a function that restores a stored answer. Later changes of the conversation do not affect the answer, because messages never change. */
export function restoreRun(conversations: Pick<ConversationStore, 'messagesUntil'>): Restore {
  return async ({ body, source }, project) => {
    const run = body as ShownRun;
    const { until } = Source.parse(source);
    return withMessages(run, requireFound(await conversations.messagesUntil(project, run.data.conversation.id, until)));
  };
}
