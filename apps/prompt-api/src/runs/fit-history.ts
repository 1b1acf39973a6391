import { countMessages, newestTurns, tokensAtMost, type ModelMessage } from '@millwright/models';

export interface HistoryMessage {
  role: ModelMessage['role'];
  content: string;
}

/** A part of a request that grows with each message of the conversation. */
export interface Growth {
  /** Text of a message in the request. */
  textOf: (message: HistoryMessage) => string;
  /** Number of times that the request repeats it. */
  times: number;
}

/** The newest whole turns of a conversation that fit into `room` tokens, and the number of older turns that are left out. */
export async function fitHistory(history: readonly HistoryMessage[], room: number, { textOf, times }: Growth) {
  const asSent = (messages: readonly HistoryMessage[]) =>
    messages.map((message) => ({ role: message.role, content: textOf(message) }));
  if (tokensAtMost(asSent(history)) * times <= room) return { kept: [...history], dropped: 0 };
  return newestTurns(history, room, async (turn, left) => (await countMessages(asSent(turn), left / times)) * times);
}
