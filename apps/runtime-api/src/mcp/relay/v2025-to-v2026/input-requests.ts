import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerMessage } from '@millwright/mcp/messages';
import { INTERNAL_ERROR, JsonRpcRefusal, type RequestId } from '../../endpoint/json-rpc.js';
import type { SessionSignals } from '../../sessions/session-signals.js';
import type { ClientSession, ClientSessionStore, InputResponse } from '../../sessions/client-sessions.store.js';
import { canReceive } from '../input-capabilities.js';
import { objectOrEmpty } from '../v2026-terms.js';
import type { Outgoing } from '../translated-answer.js';

/** The input that a server needs before it continues (2026-07-28, "Multi round-trip requests"). */
export interface InputRequired {
  inputRequests: Record<string, ServerMessage>;
  requestState?: unknown;
}

const MOST_AT_ONCE = 16;
/** Milliseconds that a user has to respond. */
const PATIENCE_MS = 300_000;

/** The input requests in a result; undefined when the result has none or the client lacks a required capability. */
export function inputRequestsIn(
  result: unknown,
  { capabilities }: Pick<ClientSession, 'capabilities'>,
): InputRequired | undefined {
  const { resultType, inputRequests, requestState } = objectOrEmpty(result);
  if (resultType !== 'input_required') return undefined;
  const asked: [string, unknown][] = Object.entries(inputRequests ?? {});
  const isCarried = asked.every(([, request]) => canReceive(capabilities, request));
  if (!isCarried || asked.length > MOST_AT_ONCE) return undefined;
  return {
    inputRequests: Object.fromEntries(asked) as InputRequired['inputRequests'],
    ...(requestState !== undefined && { requestState }),
  };
}

/**
 * Sends input requests to a 2025-11-25 client on the stream of its call. The client posts its responses, to any replica.
 *
 * @returns the parameters to repeat the call with
 * @throws JsonRpcRefusal, or the reason of the signal
 */
export async function* requestInput(
  { sessions, signals }: { sessions: ClientSessionStore; signals: Pick<SessionSignals, 'until'> },
  session: ClientSession,
  { inputRequests, requestState }: InputRequired,
  { id, signal }: { id: RequestId; signal: AbortSignal },
): AsyncGenerator<Outgoing, object> {
  const keys = Object.keys(inputRequests);
  const requestIds = keys.map(() => randomUUID());
  await sessions.openInputRequests(session.id, requestIds);
  try {
    for (const [n, { method, params }] of Object.values(inputRequests).entries())
      yield { message: { jsonrpc: '2.0', id: requestIds[n], method, ...(params !== undefined && { params }) } };
    const responses = await waitForResponses();
    const isRefused = responses.some(({ error }) => error !== undefined);
    if (isRefused) throw new JsonRpcRefusal(200, INTERNAL_ERROR, 'The client refused a question of the server', id);
    const inputResponses = Object.fromEntries(keys.map((key, n) => [key, responses[n]?.result ?? {}]));
    return { ...(keys.length > 0 && { inputResponses }), ...(requestState !== undefined && { requestState }) };
  } finally {
    await sessions.closeInputRequests(session.id, requestIds);
  }

  async function waitForResponses() {
    const responses = await sessions.findInputResponses(session.id, requestIds);
    if (responses) return responses;
    const patience = AbortSignal.timeout(PATIENCE_MS);
    let found: InputResponse[] | undefined;
    const answered = signals.until(session.id, async () => {
      found = await sessions.findInputResponses(session.id, requestIds);
      return found !== undefined;
    });
    const over = AbortSignal.any([answered.signal, patience, signal]);
    try {
      if (!over.aborted) await once(over, 'abort');
    } finally {
      answered.stop();
    }
    if (found) return found;
    signal.throwIfAborted();
    throw new JsonRpcRefusal(200, INTERNAL_ERROR, 'The client did not answer a question of the server', id);
  }
}
