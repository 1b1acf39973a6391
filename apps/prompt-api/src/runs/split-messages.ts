import { requireAllowed, type Guards } from '@millwright/guards';
import type { ModelImage } from '@millwright/models';
import type { HistoryMessage } from './fit-history.js';

/** A client's messages as the parts of a run. */
export interface SplitMessages {
  /** System messages before all others. */
  instructions: string[];
  /** Messages between the first system messages and the user's last message. */
  history: HistoryMessage[];
  /** The user's last message. */
  message: string | undefined;
  userName: string | undefined;
  /** Images of the user's last message. */
  images: readonly ModelImage[];
  /** Messages after the user's last message: calls of the client's tools, and their outputs. */
  after: HistoryMessage[];
}

/** Splits messages at the last message of the user. */
export function splitMessages(messages: readonly HistoryMessage[]): SplitMessages {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const begin = first === -1 ? messages.length : first;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const asked = last === -1 ? messages.length : last;
  const { content, name, images = [] } = messages[asked] ?? {};
  return {
    instructions: messages.slice(0, begin).map((message) => message.content),
    history: messages.slice(begin, asked),
    message: content,
    userName: name,
    images,
    after: messages.slice(asked + 1),
  };
}

/** Returns the index of the first tool output that answers no call of an earlier message; undefined when every output answers a call. */
export function unansweredOutput(messages: readonly HistoryMessage[]): number | undefined {
  const calls = new Set<string>();
  for (const [index, { role, tool_calls: made = [], tool_call_id: id = '' }] of messages.entries()) {
    for (const call of made) calls.add(call.id);
    if (role === 'tool' && !calls.has(id)) return index;
  }
  return undefined;
}

/**
 * Redacts the messages of people and tools. Two kinds are not redacted here: the user's last message, which the run checks, and messages of the
 * model, which are redacted with the history.
 *
 * @throws GuardBlocked
 */
export async function guardMessages(guards: Guards, messages: readonly HistoryMessage[]): Promise<HistoryMessage[]> {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const pointOf = ({ role }: HistoryMessage, index: number) =>
    index === last || role === 'assistant' ? undefined : role === 'tool' ? 'tools' : 'input';
  const left = new Map<HistoryMessage, string>();
  for (const point of ['input', 'tools'] as const) {
    const own = messages.filter((message, index) => pointOf(message, index) === point);
    const contents = requireAllowed(
      await guards.value(
        point,
        own.map(({ content }) => content),
      ),
    );
    for (const [index, message] of own.entries()) left.set(message, contents[index] ?? '');
  }
  return messages.map((message) => ({ ...message, content: left.get(message) ?? message.content }));
}
