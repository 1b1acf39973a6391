import type { ModelMessage, ModelToolCall } from '@millwright/models';
import type { MessageImage } from '@millwright/runs/message-images';

/** One stored message of a conversation, in the form that a later request repeats to the model. */
export interface Turn {
  role: 'user' | 'assistant' | 'tool';
  content: string;
  /** Calls of tools in an assistant's turn; the tools' answers follow the turn. */
  toolCalls?: readonly ModelToolCall[];
  /** Id of the call to which a tool's answer belongs. */
  callId?: string;
  /** For a tool's answer: whether the call failed. For a user's message: whether its run failed. */
  failed?: boolean;
  /**
   * Whether the turn is untrusted: it contains text that neither the user nor this installation wrote, or its run was already tainted. For a user's
   * message: whether an agent in a tainted run wrote the message.
   */
  untrusted?: boolean;
  /** For an untrusted answer of a tool, the tool's name. For an untrusted message, its author. */
  source?: string;
  /** Images of a user's message. */
  images?: readonly MessageImage[];
}

/** A turn with its position in the conversation. */
export interface StoredTurn extends Turn {
  /** Row id of the turn. */
  id: string;
  seq: number;
  /** Row id of the user's message that the turn's run answers. Null for the user's turns, and for turns that earlier releases stored. */
  answersTo: string | null;
}

export interface TurnRow {
  id: string;
  seq: number;
  answers_to: string | null;
  role: string;
  content: string;
  tool_calls: unknown;
  call_id: string | null;
  failed: boolean | null;
  untrusted: boolean | null;
  source: string | null;
  /** A list of MessageImage. */
  images: unknown;
}

/** `source` of an untrusted message whose author is not stored. */
const USER = 'message';

export function toTurn(row: TurnRow): StoredTurn {
  const { id, seq, answers_to: answersTo } = row;
  return { id, seq, answersTo, ...contentOf(row) };
}

function contentOf(row: TurnRow): Turn {
  const { content, tool_calls: calls, call_id: callId, source, images } = row;
  const failed = row.failed ?? false;
  if (row.role === 'user')
    return {
      role: 'user',
      content,
      failed,
      ...(row.untrusted === true && { untrusted: true, source: source ?? USER }),
      ...(images !== null && { images: images as MessageImage[] }),
    };
  // An earlier release stored answers of tools without this mark. They count as untrusted.
  const untrusted = row.untrusted ?? row.role === 'tool';
  if (row.role === 'tool') {
    return { role: 'tool', content, callId: callId ?? '', failed, untrusted, ...(source !== null && { source }) };
  }
  return { role: 'assistant', content, untrusted, ...(calls !== null && { toolCalls: calls as ModelToolCall[] }) };
}

export function toModelMessage({ role, content, toolCalls, callId }: Turn): ModelMessage {
  return {
    role,
    content,
    ...(toolCalls && { tool_calls: [...toolCalls] }),
    ...(callId !== undefined && { tool_call_id: callId }),
  };
}

/** Length of a turn in characters, as it is counted in the model's window. */
export const lengthOf = ({ content, toolCalls }: Pick<Turn, 'content' | 'toolCalls'>): number =>
  content.length + (toolCalls ?? []).reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);

/** Whether a turn is the answer that ends a run. */
export const isAnswer = ({ role, toolCalls }: Turn): boolean => role === 'assistant' && !toolCalls;

/**
 * Groups turns by the user's message that they answer, because the turns of a run may be stored after the next message. A turn without `answersTo`
 * belongs to the message before it. Turns before the first message form a separate group. A turn is left out when the message that it answers is not
 * among the given turns.
 */
export function exchangesOf(turns: readonly StoredTurn[]): StoredTurn[][] {
  const exchanges: StoredTurn[][] = [];
  const byMessage = new Map<string, StoredTurn[]>();
  for (const turn of turns) {
    const { id, role, answersTo } = turn;
    const exchange = answersTo === null ? exchanges.at(-1) : byMessage.get(answersTo);
    if (role !== 'user' && exchange) exchange.push(turn);
    else if (role === 'user' || answersTo === null) {
      const begun = [turn];
      exchanges.push(begun);
      byMessage.set(id, begun);
    }
  }
  return exchanges;
}

/** Whether the message of an exchange has no answer because its run failed. */
export const hasFailed = ([first, ...rest]: readonly Turn[]): boolean =>
  first?.role === 'user' && first.failed === true && !rest.some(isAnswer);
