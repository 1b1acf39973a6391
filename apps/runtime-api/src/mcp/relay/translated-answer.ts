import { eventsAnswer, isEventStream, jsonAnswer, messageOf, readEvents } from '../event-stream.js';
import { errorBody, INTERNAL_ERROR, JsonRpcRefusal, type RequestId } from '../json-rpc.js';
import type { McpAnswer } from '../mcp-call.js';
import type { UpstreamAnswer } from './upstream-call.js';

/** A message of an upstream, whatever it holds. */
export interface UpstreamMessage {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

export interface Exchange {
  answer: UpstreamAnswer;
  /** How the server knows the request, and how the client does. */
  ids: { upstream: RequestId; client: RequestId };
  /** What the client hears of what the server says or asks before it answers. */
  heard: (message: UpstreamMessage) => object | undefined;
  /** The answer in the client's terms: `result` or `error`. */
  replied: (message: UpstreamMessage) => { status: number; reply: object };
  /** Where the answer is that the client has to say something first: asks it, and returns the exchange that follows. */
  continued?: (message: UpstreamMessage) => AsyncGenerator<Said, Exchange> | undefined;
  /** Whether nobody wants the answer any more. */
  isCancelled?: () => boolean;
  /** When the server was heard for the last time. */
  onEnd: (answered: boolean) => void;
}

export interface Said {
  message: object;
  /** Of the answer, which is the last thing said. */
  status?: number;
}

/** A client that hears nothing wants a sign of life by then. */
const STREAM_AFTER_MS = 10_000;

/**
 * An answer of the other era. One that comes first is JSON with the status it calls for; before anything else, or when it takes
 * long, a stream begins.
 *
 * @throws JsonRpcRefusal
 */
export async function translatedAnswer(exchange: Exchange): Promise<McpAnswer> {
  const said = saidTo(exchange);
  const first = said.next();
  const early = await within(STREAM_AFTER_MS, first);
  if (early && !early.done && early.value.status !== undefined)
    return jsonAnswer(early.value.message, { status: early.value.status });
  if (early?.done) return { status: 202 };
  return eventsAnswer(asEvents(first, said, exchange.ids.client));
}

async function* saidTo(exchange: Exchange): AsyncGenerator<Said> {
  const { answer, ids, heard, replied, continued, isCancelled, onEnd } = exchange;
  const addressed = { jsonrpc: '2.0', id: ids.client };
  let answered = false;
  let following: ReturnType<NonNullable<Exchange['continued']>>;
  try {
    for await (const message of messagesOf(answer)) {
      if (message.method !== undefined) {
        const passed = heard(message);
        if (passed) yield { message: passed };
        continue;
      }
      // A refusal may name no request (JSON-RPC 2.0 §5).
      if (message.id !== ids.upstream && (answer.response.ok || message.id !== null)) continue;
      answered = true;
      following = continued?.(message);
      if (following) break;
      const { status, reply } = replied(message);
      yield { message: { ...addressed, ...reply }, status };
      return;
    }
    if (following) {
      yield* saidTo(yield* following);
      return;
    }
  } catch (error) {
    if (isCancelled?.()) return;
    throw error instanceof JsonRpcRefusal ? error : brokenOff(ids.client, error);
  } finally {
    onEnd(answered);
  }
  throw brokenOff(ids.client);
}

const brokenOff = (id: RequestId, cause?: unknown) =>
  new JsonRpcRefusal(503, INTERNAL_ERROR, 'The MCP server broke off its answer', id, { cause });

/** What an upstream says, as long as it does. Each sign of life extends the call. */
export async function* messagesOf({ response, alive, ended }: UpstreamAnswer): AsyncGenerator<UpstreamMessage> {
  try {
    if (!response.body || !isEventStream(response)) {
      yield asMessage(await response.json());
      return;
    }
    for await (const event of readEvents(response.body)) {
      alive();
      const message = messageOf(event);
      if (message !== undefined) yield asMessage(message);
    }
  } finally {
    ended();
  }
}

const asMessage = (value: unknown): UpstreamMessage => (typeof value === 'object' && value !== null ? value : {});

export const toEvent = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

async function* asEvents(
  first: Promise<IteratorResult<Said>>,
  rest: AsyncGenerator<Said>,
  id: RequestId,
): AsyncGenerator<string> {
  try {
    for (let next = await first; !next.done; next = await rest.next()) yield toEvent(next.value.message);
  } catch (error) {
    yield toEvent(errorBody(error instanceof JsonRpcRefusal ? error : brokenOff(id)));
  } finally {
    await rest.return(undefined);
  }
}

async function within<Value>(milliseconds: number, value: Promise<Value>): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), milliseconds).unref();
  try {
    return await Promise.race([value, promise]);
  } finally {
    clearTimeout(timer);
  }
}
