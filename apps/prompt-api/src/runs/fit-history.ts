import { countMessages, newestTurns, tokensAtMost, type ModelMessage } from '@millwright/models';

/** A message of the conversation. Its tool calls and outputs belong to tools of the client. */
export type HistoryMessage = Pick<ModelMessage, 'role' | 'content' | 'images' | 'name' | 'tool_calls' | 'tool_call_id'>;

/** Returns the text whose tokens are counted for a message: its content, and its tool calls as JSON. */
export const countedText = ({ content, tool_calls: calls }: HistoryMessage): string =>
  calls?.length ? content + JSON.stringify(calls) : content;

/** How the length of a request grows with each message of the conversation. */
export interface Growth {
  /** Returns the text of a message as the model receives it. */
  textOf: (message: HistoryMessage) => string;
  /** Number of times that the request contains the conversation. */
  times: number;
}

/** Returns the newest whole turns of a conversation that fit into `room` tokens, and the number of older turns that are left out. */
export async function fitHistory(history: readonly HistoryMessage[], room: number, { textOf, times }: Growth) {
  const asSent = (messages: readonly HistoryMessage[]) =>
    messages.map(({ images = [], ...message }) => ({ role: message.role, content: textOf(message), images }));
  if (tokensAtMost(asSent(history)) * times <= room) return { kept: [...history], dropped: 0 };
  return newestTurns(history, room, async (turn, left) => (await countMessages(asSent(turn), left / times)) * times);
}
