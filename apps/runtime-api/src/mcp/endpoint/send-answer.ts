import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { clientLeft, createEventStreamWriter } from '@millwright/http/protocol';
import { findReply } from '@millwright/mcp/messages';
import type { Response } from 'express';
import { errorBody, INTERNAL_ERROR, JsonRpcRefusal, type RequestId } from './json-rpc.js';
import { jsonAnswer, type McpAnswer } from './mcp-call.js';

/** Sends an answer as it arrives. Each chunk of a stream contains whole events, so that comments fit between chunks. */
export async function sendAnswer({ status, headers, body }: McpAnswer, response: Response): Promise<void> {
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .set({ ...headers });
  if (body === undefined || typeof body === 'string') {
    response.end(body);
    // The call ends when its answer has been sent or can no longer be sent.
    await finished(response).catch(() => undefined);
    return;
  }
  response.set('X-Accel-Buffering', 'no').flushHeaders();
  const left = clientLeft(response);
  const stream = createEventStreamWriter(response, { comment: ':\n\n' });
  try {
    for await (const event of body) {
      if (response.destroyed) return;
      // A signal, because listeners of `close` would accumulate while the stream is open.
      if (!stream.write(event)) await once(response, 'drain', { signal: left }).catch(() => undefined);
    }
    response.end();
  } catch (error) {
    // A broken connection shows the waiting client that the answer is incomplete.
    if (!response.destroyed) response.destroy(error instanceof Error ? error : undefined);
  } finally {
    stream.stop();
  }
}

/** Converts a stream for a client that accepts only JSON: the message that answers the request. */
export async function asJson(answer: McpAnswer, id: RequestId | null): Promise<McpAnswer> {
  const { status, headers, body } = answer;
  if (body === undefined || typeof body === 'string') return answer;
  const message = await findReply(body, id, { maxBytes: Infinity });
  const refusal = new JsonRpcRefusal(200, INTERNAL_ERROR, 'The server ended its answer early', id);
  return jsonAnswer(message ?? errorBody(refusal), { status: message ? status : 200, headers });
}
