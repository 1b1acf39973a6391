import { invalidField, type AppError } from '@millwright/errors';
import {
  answerShare,
  countMessages,
  fitsTokens,
  type ModelImage,
  type ModelMessage,
  type ModelTool,
} from '@millwright/models';
import { countedText, fitHistory, type HistoryMessage } from './fit-history.js';
import type { PreparedPrompt, RenderedPrompt } from './render.service.js';

/** Parts of one run's messages. */
export interface Composition {
  prepared: PreparedPrompt;
  message: string | undefined;
  /** Images of the user's message. */
  images: readonly ModelImage[];
  /** Name of the message's author. */
  userName?: string | undefined;
  /** Messages of the conversation so far, oldest first. */
  history: readonly HistoryMessage[];
  /** Messages after the user's: calls of the client's tools, and their outputs. */
  after: readonly HistoryMessage[];
  /** The caller's own instructions, each a separate message after the instructions of the prompt. */
  instructions: readonly string[];
  tools: readonly ModelTool[];
  /** Output schema, sent in addition to the messages. */
  schema: object | undefined;
  window: {
    model: string;
    /** Tokens that the model can read and write at once. */
    size: number;
    /** Number of tokens reserved for the answer. */
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
 * Returns the messages of a run in order, with as many turns of the conversation as fit the model's window. `tail`: messages at the end, such as the
 * request for a repair. Returns `undefined` when the messages do not fit even without the conversation.
 */
export async function compose(
  parts: Composition,
  tail: readonly ModelMessage[],
): Promise<ComposedMessages | undefined> {
  const { prepared, history, window } = parts;
  const room = window.size - (window.answer ?? answerShare(window.size));
  const limit = room - (await schemaTokens(parts, room));
  const bare = prepared.render([]);
  const withoutHistory = assemble(parts, bare, [], tail);
  const counted = withoutHistory.map(({ role, content, images = [], tool_calls }) => ({
    role,
    images,
    content: countedText({ role, content, ...(tool_calls && { tool_calls }) }),
  }));
  if (!(await fitsTokens(limit, counted))) return undefined;
  if (history.length === 0) return { messages: withoutHistory, rendered: bare, dropped: 0 };

  const left = limit - (await countMessages(counted));
  const { kept, dropped } = await fitHistory(history, left, {
    textOf: (message) => (prepared.historyTokens > 0 ? `${message.role}: ${message.content}\n` : countedText(message)),
    times: Math.max(1, prepared.historyTokens),
  });
  const rendered = prepared.historyTokens > 0 ? prepared.render(kept) : bare;
  return { messages: assemble(parts, rendered, kept, tail), rendered, dropped };
}

/**
 * Returns the error for a run whose messages exceed the model's window. The error names the field `message` when the prompt would fit without the
 * message, otherwise the field `prompt`.
 */
export async function windowExceeded(parts: Composition, withoutMessage: PreparedPrompt): Promise<AppError> {
  const { model, size } = parts.window;
  const reason = `is too long: with the answer, the window of the model ${model} holds ${size} tokens`;
  const shorter = { ...parts, prepared: withoutMessage, history: [], message: undefined, images: [] };
  return invalidField((await compose(shorter, [])) ? 'message' : 'prompt', reason);
}

async function schemaTokens({ schema, tools }: Composition, limit: number): Promise<number> {
  const texts = [...(schema ? [schema] : []), ...tools].map((value) => JSON.stringify(value));
  return texts.length > 0 ? countMessages([{ role: 'system', content: texts.join('\n') }], limit) : 0;
}

function assemble(
  { message, images, userName, instructions, after }: Composition,
  rendered: RenderedPrompt,
  history: readonly HistoryMessage[],
  tail: readonly ModelMessage[],
): ModelMessage[] {
  const user = userTurn(rendered, message);
  const system = [rendered.static, rendered.state, ...instructions].filter((text) => text !== '');
  return [
    ...system.map((content) => ({ role: 'system' as const, content })),
    ...earlierTurns(rendered, history),
    ...(user === '' && images.length === 0
      ? []
      : [
          {
            role: 'user' as const,
            content: user,
            ...(images.length > 0 && { images }),
            ...(userName !== undefined && { name: userName }),
          },
        ]),
    ...after,
    ...tail,
  ];
}

/** Returns the messages of the conversation so far; empty when the template inserts the conversation. */
function earlierTurns(rendered: RenderedPrompt, history: readonly HistoryMessage[]): ModelMessage[] {
  if (rendered.tokens.includes('conversation.history')) return [];
  // A tool's message needs the id of the call that it answers.
  return history.filter(({ role, tool_call_id: call }) => role !== 'tool' || call !== undefined);
}

/** Returns the dynamic part, followed by the message unless the template inserts the message. */
export function userTurn(rendered: RenderedPrompt, message: string | undefined): string {
  const appended = rendered.tokens.includes('message') ? undefined : message;
  return [rendered.dynamic, appended].filter((text) => text !== undefined && text !== '').join('\n\n');
}
