import { eventsAnswer, isEventStream, messageOf, readEvents, withMessage } from '../event-stream.js';
import { errorBody, INTERNAL_ERROR, JsonRpcRefusal, type RequestId } from '../json-rpc.js';
import type { McpAnswer } from '../mcp-call.js';
import type { Offered } from './relayed-server.js';
import { withoutUnoffered } from './tool-guard.js';
import { unavailable, type UpstreamAnswer } from './upstream-call.js';

export interface RelayedAnswerOptions {
  answer: UpstreamAnswer;
  /** The request that is answered; null for the stream of a session, which may carry what was asked elsewhere. */
  id: RequestId | null;
  offered: Offered;
  /** The session's id as the client knows it. */
  sessionId?: string | undefined;
  /** When the last byte has passed, or none will. */
  onEnd?: () => void;
}

/** What of an upstream's answer reaches the client: its status, its message untouched but for tools that are not on offer. @throws JsonRpcRefusal */
export async function relayedAnswer(options: RelayedAnswerOptions): Promise<McpAnswer> {
  const { answer, id, offered, sessionId, onEnd } = options;
  const { response, ended } = answer;
  const { status, ok, body } = response;
  const headers: Record<string, string> = sessionId === undefined ? {} : { 'mcp-session-id': sessionId };
  const end = () => {
    ended();
    onEnd?.();
  };
  if (body && isEventStream(response)) return { ...eventsAnswer(relayedEvents(options, body, end), headers), status };
  try {
    const text = await response.text();
    if (text === '' || id === null) return { status: withoutBody(status), headers };
    headers['content-type'] = 'application/json';
    return { status, headers, body: checkedJson(text, id, ok, offered) };
  } catch (error) {
    throw error instanceof JsonRpcRefusal ? error : unavailable(id, error);
  } finally {
    end();
  }
}

const withoutBody = (status: number) => (status === 200 ? 202 : status);

function checkedJson(text: string, id: RequestId, ok: boolean, offered: Offered): string {
  const message = parsed(text);
  const sent = (message as { id?: unknown } | undefined)?.id;
  // A refusal may name no request (JSON-RPC 2.0 §5).
  if (sent !== id && (ok || sent !== null)) throw unavailable(id, new Error('The answer is not one to this request.'));
  const kept = withoutUnoffered(message, offered);
  return kept === message ? text : JSON.stringify(kept);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* relayedEvents(
  { answer, id, offered }: RelayedAnswerOptions,
  body: AsyncIterable<Uint8Array>,
  end: () => void,
): AsyncGenerator<string> {
  try {
    for await (const event of readEvents(body)) {
      answer.alive();
      const message = messageOf(event) as { id?: unknown; method?: unknown } | undefined;
      // On the stream of one request nothing else may be answered.
      const isStray = id !== null && message?.id !== undefined && message.method === undefined && message.id !== id;
      if (isStray) continue;
      const kept = withoutUnoffered(message, offered);
      yield kept === message ? event : withMessage(event, kept);
    }
  } catch {
    if (id !== null) yield withMessage('event: message', errorBody(brokenOff(id)));
  } finally {
    end();
  }
}

const brokenOff = (id: RequestId) => new JsonRpcRefusal(503, INTERNAL_ERROR, 'The MCP server broke off its answer', id);
