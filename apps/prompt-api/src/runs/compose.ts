import { invalidField, type AppError } from '@millwright/errors';
import { answerShare, countMessages, fitsTokens, type ModelMessage } from '@millwright/models';
import { fitHistory, type HistoryMessage } from './fit-history.js';
import type { PreparedPrompt, RenderedPrompt } from './render.service.js';

/** Parts of one run's messages. */
export interface Composition {
  prepared: PreparedPrompt;
  message: string | undefined;
  /** The conversation so far, oldest first. */
  history: readonly HistoryMessage[];
  /** The caller's own instructions, which follow the prompt's. */
  instructions: string | undefined;
  /** Output schema, sent in addition to the messages. */
  schema: object | undefined;
  window: {
    model: string;
    /** Tokens that the model can read and write at once. */
    size: number;
    /** Tokens reserved for the answer. */
    answer: number | undefined;
  };
}

export interface ComposedMessages {
  messages: ModelMessage[];
  rendered: RenderedPrompt;
  /** Number of oldest turns left out because they did not fit. */
  dropped: number;
}

/**
 * The messages of a run in order, with as much of the conversation as fits the model's window; `tail` follows the user's
 * message. `undefined` when the messages do not fit even without the conversation.
 */
export async function compose(
  parts: Composition,
  tail: readonly ModelMessage[],
): Promise<ComposedMessages | undefined> {
  const { prepared, history, window } = parts;
  const room = window.size - (window.answer ?? answerShare(window.size));
  const limit = room - (await schemaTokens(parts.schema, room));
  const bare = prepared.render([]);
  const withoutHistory = assemble(parts, bare, [], tail);
  if (!(await fitsTokens(limit, withoutHistory))) return undefined;
  if (history.length === 0) return { messages: withoutHistory, rendered: bare, dropped: 0 };

  const left = limit - (await countMessages(withoutHistory));
  const { kept, dropped } = await fitHistory(history, left, {
    textOf: ({ role, content }) => (prepared.historyTokens > 0 ? `${role}: ${content}\n` : content),
    times: Math.max(1, prepared.historyTokens),
  });
  const rendered = prepared.historyTokens > 0 ? prepared.render(kept) : bare;
  return { messages: assemble(parts, rendered, kept, tail), rendered, dropped };
}

/**
 * The error of a run whose messages exceed the model's window: it names the message when the prompt would fit without the message,
 * otherwise the prompt.
 */
export async function windowExceeded(parts: Composition, withoutMessage: PreparedPrompt): Promise<AppError> {
  const { model, size } = parts.window;
  const reason = `is too long: with the answer, the window of the model ${model} holds ${size} tokens`;
  const shorter = { ...parts, prepared: withoutMessage, history: [], message: undefined };
  return invalidField((await compose(shorter, [])) ? 'message' : 'prompt', reason);
}

async function schemaTokens(schema: object | undefined, limit: number): Promise<number> {
  return schema ? countMessages([{ role: 'system', content: JSON.stringify(schema) }], limit) : 0;
}

function assemble(
  { message, instructions }: Composition,
  rendered: RenderedPrompt,
  history: readonly HistoryMessage[],
  tail: readonly ModelMessage[],
): ModelMessage[] {
  const system = [rendered.static, rendered.state, instructions ?? ''].filter((text) => text !== '');
  return [
    ...system.map((content) => ({ role: 'system' as const, content })),
    ...earlierTurns(rendered, history),
    { role: 'user', content: userTurn(rendered, message) },
    ...tail,
  ];
}

/** The conversation so far; empty when the template inserts it. */
function earlierTurns(rendered: RenderedPrompt, history: readonly HistoryMessage[]): ModelMessage[] {
  if (rendered.tokens.includes('conversation.history')) return [];
  return history.filter(({ role }) => role !== 'tool');
}

/** The dynamic part, followed by the message unless the template inserts it. */
export function userTurn(rendered: RenderedPrompt, message: string | undefined): string {
  const appended = rendered.tokens.includes('message') ? undefined : message;
  return [rendered.dynamic, appended].filter((text) => text !== undefined && text !== '').join('\n\n');
}
