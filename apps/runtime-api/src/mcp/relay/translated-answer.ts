import { attributed, type ServerAnswer } from '@millwright/mcp';
import { messageOf, readMessage, type ServerMessage } from '@millwright/mcp/messages';
import { brokenOff, errorBody, refusalOf, type RequestId } from '@millwright/mcp/json-rpc';
import { eventsAnswer, jsonAnswer, type McpAnswer, type Outgoing } from '../endpoint/mcp-call.js';

export interface Exchange {
  answer: ServerAnswer;
  /** Name under which users see the server. */
  server: string;
  /** The id of the request at the server, and its id at the client. */
  ids: { upstream: RequestId; client: RequestId };
  /** Converts a message that precedes the server's answer; undefined when the message must not be sent to the client. */
  translateMessage: (message: ServerMessage) => object | undefined;
  /** Converts the answer (`result` or `error`) to the client's version. */
  translateReply: (message: ServerMessage) => { status: number; reply: object };
  /** Processes an answer that requires input: requests the input from the client, and returns the next exchange. */
  continueWith?: (message: ServerMessage) => AsyncGenerator<Outgoing, Exchange> | undefined;
  /** Whether the client cancelled the request. */
  isCancelled?: () => boolean;
  /** The function is called after the last message of the server. */
  onEnd: (answered: boolean) => void;
}

/** Milliseconds after which the client gets the start of a stream if no answer has arrived. */
const STREAM_AFTER_MS = 10_000;

/**
 * The translated answer of a server: JSON with the answer's status when the answer is the first message, and a stream when other messages
 * precede the answer or the answer takes long.
 * @throws JsonRpcRefusal
 */
export const translatedAnswer = (exchange: Exchange): Promise<McpAnswer> =>
  answerWith(messagesFor(exchange), exchange.ids.client);

/** Sends these messages as JSON or as a stream, by the rule of {@link translatedAnswer}. @throws JsonRpcRefusal */
export async function answerWith(outgoing: AsyncGenerator<Outgoing>, id: RequestId): Promise<McpAnswer> {
  const first = outgoing.next();
  const early = await within(STREAM_AFTER_MS, first);
  if (early && !early.done && early.value.status !== undefined) {
    await outgoing.return(undefined);
    return jsonAnswer(early.value.message, { status: early.value.status });
  }
  if (early?.done) return { status: 202 };
  return eventsAnswer(asEvents(first, outgoing, id));
}

async function* messagesFor(exchange: Exchange): AsyncGenerator<Outgoing> {
  const { answer, server, ids, translateMessage, translateReply, continueWith, isCancelled, onEnd } = exchange;
  const addressed = { jsonrpc: '2.0', id: ids.client };
  let answered = false;
  let following: ReturnType<NonNullable<Exchange['continueWith']>>;
  try {
    for await (const received of messagesOf(answer)) {
      const message = attributed(received, server);
      if (!message) break;
      if (message.method !== undefined) {
        const passed = translateMessage(message);
        if (passed) yield { message: passed };
        continue;
      }
      // An error response may have the id null (JSON-RPC 2.0 §5).
      if (message.id !== ids.upstream && (answer.response.ok || message.id !== null)) continue;
      answered = true;
      following = continueWith?.(message);
      if (following) break;
      const { status, reply } = translateReply(message);
      yield { message: { ...addressed, ...reply }, status };
      return;
    }
    if (following) {
      yield* messagesFor(yield* following);
      return;
    }
  } catch (error) {
    if (isCancelled?.()) return;
    throw refusalOf(error, ids.client);
  } finally {
    onEnd(answered);
  }
  throw brokenOff(ids.client);
}

/** All messages of a server's answer. Each message extends the time limit of the call. */
export async function* messagesOf({ text, events, alive, ended }: ServerAnswer): AsyncGenerator<ServerMessage> {
  try {
    if (!events) {
      yield readMessage(await text()) ?? {};
      return;
    }
    for await (const event of events()) {
      alive();
      const message = messageOf(event);
      if (message) yield message;
    }
  } finally {
    ended();
  }
}

export const toEvent = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

async function* asEvents(
  first: Promise<IteratorResult<Outgoing>>,
  rest: AsyncGenerator<Outgoing>,
  id: RequestId,
): AsyncGenerator<string> {
  try {
    for (let next = await first; !next.done; next = await rest.next()) yield toEvent(next.value.message);
  } catch (error) {
    yield toEvent(errorBody(refusalOf(error, id)));
  } finally {
    await rest.return(undefined);
  }
}

/** Returns the value, or `undefined` when it does not resolve within the time. */
export async function within<Value>(milliseconds: number, value: Promise<Value>): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), milliseconds).unref();
  try {
    return await Promise.race([value, promise]);
  } finally {
    clearTimeout(timer);
  }
}
