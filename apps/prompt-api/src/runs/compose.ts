import { invalidField } from '@millwright/errors';
import { answerShare, countMessages, tokensBeyond, type ModelMessage } from '@millwright/models';
import { fitHistory, type HistoryMessage } from './fit-history.js';
import type { PreparedPrompt, RenderedPrompt } from './render.service.js';

/** What the messages of one run are made of. */
export interface Composition {
  prepared: PreparedPrompt;
  message: string | undefined;
  /** The conversation so far, oldest first. */
  history: readonly HistoryMessage[];
  /** Of the caller's own, behind those of the prompt. */
  instructions: string | undefined;
  /** Sent besides the messages. */
  schema: object | undefined;
  window: {
    model: string;
    /** All that the model can read and write at once, in tokens. */
    size: number;
    /** Kept free for the answer. */
    answer: number | undefined;
  };
}

export interface ComposedMessages {
  messages: ModelMessage[];
  rendered: RenderedPrompt;
  /** How many of the oldest turns did not fit. */
  dropped: number;
}

/**
 * The messages of a run in order, with as much of the conversation as the model's window holds; `tail` follows the user's
 * message. `undefined` when all of the conversation left out does not help.
 */
export async function compose(
  parts: Composition,
  tail: readonly ModelMessage[],
): Promise<ComposedMessages | undefined> {
  const { prepared, history, window } = parts;
  const limit = window.size - (window.answer ?? answerShare(window.size)) - (await schemaTokens(parts.schema));
  const bare = prepared.render([]);
  const withoutHistory = assemble(parts, bare, [], tail);
  if ((await tokensBeyond(limit, withoutHistory)) !== undefined) return undefined;
  if (history.length === 0) return { messages: withoutHistory, rendered: bare, dropped: 0 };

  const room = limit - (await countMessages(withoutHistory));
  const { kept, dropped } = await fitHistory(history, room, {
    textOf: ({ role, content }) => (prepared.historyTokens > 0 ? `${role}: ${content}\n` : content),
    times: Math.max(1, prepared.historyTokens),
  });
  const rendered = prepared.historyTokens > 0 ? prepared.render(kept) : bare;
  return { messages: assemble(parts, rendered, kept, tail), rendered, dropped };
}

/**
 * Refuses a run whose messages need more than the model's window.
 *
 * @throws AppError validation_error naming the message when the prompt would fit without it, else the prompt.
 */
export async function refuseTooLong(parts: Composition, withoutMessage: PreparedPrompt): Promise<never> {
  const { model, size } = parts.window;
  const reason = `is too long: with the answer, the window of the model ${model} holds ${size} tokens`;
  const shorter = { ...parts, prepared: withoutMessage, history: [], message: undefined };
  throw invalidField((await compose(shorter, [])) ? 'message' : 'prompt', reason);
}

async function schemaTokens(schema: object | undefined): Promise<number> {
  return schema ? countMessages([{ role: 'system', content: JSON.stringify(schema) }]) : 0;
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

/** The conversation so far, unless the template places it itself. */
function earlierTurns(rendered: RenderedPrompt, history: readonly HistoryMessage[]): ModelMessage[] {
  if (rendered.tokens.includes('conversation.history')) return [];
  return history.filter(({ role }) => role !== 'tool');
}

/** The dynamic part; the message follows it when no part of the template takes it. */
export function userTurn(rendered: RenderedPrompt, message: string | undefined): string {
  const appended = rendered.tokens.includes('message') ? undefined : message;
  return [rendered.dynamic, appended].filter((text) => text !== undefined && text !== '').join('\n\n');
}
