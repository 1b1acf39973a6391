import { once } from 'node:events';
import type { Response as ExpressResponse } from 'express';
import { jsonAnswer, messageOf, readEvents } from './event-stream.js';
import { errorBody, INTERNAL_ERROR, JsonRpcRefusal, type RequestId } from './json-rpc.js';
import type { McpAnswer } from './mcp-call.js';

/** A comment keeps proxies from ending a stream that is silent. */
const COMMENT_EVERY_MS = 15_000;

/** Passes an answer on as it comes. Streams hold whole events per chunk, so that comments fit between them. */
export async function sendAnswer({ status, headers, body }: McpAnswer, response: ExpressResponse): Promise<void> {
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .set({ ...headers });
  if (body === undefined || typeof body === 'string') {
    response.end(body);
    return;
  }
  const timer = keepAlive(response);
  try {
    for await (const event of body) {
      if (response.destroyed) return;
      if (!response.write(event)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end();
  } catch (error) {
    // Who waits for the rest learns from the broken connection that there is none.
    if (!response.destroyed) response.destroy(error as Error);
  } finally {
    clearInterval(timer);
  }
}

function keepAlive(response: ExpressResponse): NodeJS.Timeout {
  response.set('X-Accel-Buffering', 'no').flushHeaders();
  return setInterval(() => response.write(':\n\n'), COMMENT_EVERY_MS).unref();
}

/** For clients that read no streams: the one message of the stream that answers the request, as JSON. */
export async function asJson(answer: McpAnswer, id: RequestId | null): Promise<McpAnswer> {
  const { status, headers, body } = answer;
  if (body === undefined || typeof body === 'string') return answer;
  const message = await replyIn(body, id);
  const refusal = new JsonRpcRefusal(200, INTERNAL_ERROR, 'The server ended its answer early', id);
  return jsonAnswer(message ?? errorBody(refusal), { status: message ? status : 200, headers });
}

/** The message of a stream of events that answers a request. */
export async function replyIn(
  body: AsyncIterable<Uint8Array | string>,
  id: RequestId | null,
): Promise<object | undefined> {
  for await (const event of readEvents(body)) {
    const message = messageOf(event) as { id?: unknown; method?: unknown } | undefined;
    if (message && message.id === id && message.method === undefined) return message;
  }
  return undefined;
}
