import { countMessages, tokensAtMost, type ModelMessage } from '@millwright/models';

export interface HistoryMessage {
  role: ModelMessage['role'];
  content: string;
}

/** A part of a request that grows with each message of the conversation. */
export interface Growth {
  /** How the message stands in the request. */
  textOf: (message: HistoryMessage) => string;
  /** How often it stands there. */
  times: number;
}

/** Each turn begins with a message of the user's; what comes before the first one is a turn of its own. */
function wholeTurns(history: readonly HistoryMessage[]): HistoryMessage[][] {
  const turns: HistoryMessage[][] = [];
  for (const message of history) {
    const current = turns.at(-1);
    if (message.role === 'user' || !current) turns.push([message]);
    else current.push(message);
  }
  return turns;
}

/** The newest whole turns of a conversation that fit into `room` tokens, and how many older ones do not. */
export async function fitHistory(history: readonly HistoryMessage[], room: number, { textOf, times }: Growth) {
  const turns = wholeTurns(history);
  const asSent = (messages: readonly HistoryMessage[]) =>
    messages.map((message) => ({ role: message.role, content: textOf(message) }));
  if (tokensAtMost(asSent(history)) * times <= room) return { kept: [...history], dropped: 0 };
  let dropped = turns.length;
  let left = room;
  for (const turn of turns.toReversed()) {
    left -= (await countMessages(asSent(turn))) * times;
    if (left < 0) break;
    dropped -= 1;
  }
  return { kept: turns.slice(dropped).flat(), dropped };
}
