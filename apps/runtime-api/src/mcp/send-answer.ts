import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response as ExpressResponse } from 'express';
import { isEventStream, messageOf, readEvents } from './event-stream.js';
import { errorBody, INTERNAL_ERROR, JsonRpcRefusal, type RequestId } from './json-rpc.js';

/** A comment keeps proxies from ending a stream that is silent. */
const COMMENT_EVERY_MS = 15_000;
const MOST_LISTENERS = 30;

/** Passes an answer on as it comes. Streams hold whole events per chunk, so that comments fit between them. */
export async function sendAnswer(answer: Response, response: ExpressResponse): Promise<void> {
  response.status(answer.status).set('Cache-Control', 'no-store').set(Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  if (!isEventStream(answer)) {
    response.end(Buffer.from(await answer.arrayBuffer()));
    return;
  }
  const timer = keepAlive(response);
  // The pipeline listens too, besides all that waits for the end of every answer.
  response.setMaxListeners(MOST_LISTENERS);
  try {
    await pipeline(Readable.fromWeb(answer.body), response);
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
export async function asJson(answer: Response, id: RequestId | null): Promise<Response> {
  if (!isEventStream(answer) || !answer.body) return answer;
  const headers = new Headers(answer.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  for await (const event of readEvents(answer.body)) {
    const message = messageOf(event) as { id?: unknown; method?: unknown } | undefined;
    if (message && message.id === id && message.method === undefined)
      return new Response(JSON.stringify(message), { status: answer.status, headers });
  }
  const refusal = new JsonRpcRefusal(200, INTERNAL_ERROR, 'The server ended its answer early', id);
  return new Response(JSON.stringify(errorBody(refusal)), { status: 200, headers });
}
