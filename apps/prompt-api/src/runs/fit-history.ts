import { countMessages, newestTurns, tokensAtMost, type ModelMessage } from '@millwright/models';

/** A message of the conversation; its tool calls and outputs are calls and outputs of the client's tools. */
export type HistoryMessage = Pick<ModelMessage, 'role' | 'content' | 'images' | 'name' | 'tool_calls' | 'tool_call_id'>;

/** The text of a message that the model reads: calls of tools count as their JSON. */
export const countedText = ({ content, tool_calls: calls }: HistoryMessage): string =>
  calls?.length ? content + JSON.stringify(calls) : content;

/** A part of a request that grows with each message of the conversation. */
export interface Growth {
  /** Returns the text of a message as the model receives it. */
  textOf: (message: HistoryMessage) => string;
  /** Number of times that the request repeats this part. */
  times: number;
}

/** The newest whole turns of a conversation that fit into `room` tokens, and the number of older turns that are left out. */
export async function fitHistory(history: readonly HistoryMessage[], room: number, { textOf, times }: Growth) {
  const asSent = (messages: readonly HistoryMessage[]) =>
    messages.map(({ images = [], ...message }) => ({ role: message.role, content: textOf(message), images }));
  if (tokensAtMost(asSent(history)) * times <= room) return { kept: [...history], dropped: 0 };
  return newestTurns(history, room, async (turn, left) => (await countMessages(asSent(turn), left / times)) * times);
}
