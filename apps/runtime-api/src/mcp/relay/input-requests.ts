import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { isJsonObject } from '@millwright/json';
import type { ServerMessage } from '@millwright/mcp/messages';
import { INTERNAL_ERROR, JsonRpcRefusal, textOf, type RequestId } from '@millwright/mcp/json-rpc';
import type { Outgoing } from '../endpoint/mcp-call.js';
import type { ClientSession, ClientSessionStore, InputResponse, SessionChanges } from '@millwright/mcp/client-sessions';
import { objectOrEmpty } from '../endpoint/v2026-terms.js';

/** The input requests that exist in both versions, each with its client capability. */
const CAPABILITY_OF: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};
/** Maximum size of a client's stored capabilities, in bytes. */
export const CAPABILITIES_MAX_BYTES = 4_096;

/** The client's capabilities for input requests. */
export function inputCapabilities(capabilities: unknown): Record<string, object> {
  const all = objectOrEmpty(capabilities);
  return Object.fromEntries(
    Object.values(CAPABILITY_OF).flatMap((name) => {
      const value = all[name];
      return typeof value === 'object' && value !== null ? [[name, value]] : [];
    }),
  );
}

/** For each capability, the members that both versions define. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  elicitation: ['form', 'url'],
  sampling: ['context', 'tools'],
  roots: [],
};

/**
 * The capabilities that both versions define, in a normal form. Clients with equal capabilities can therefore share a session. The number
 * of sessions stays small, because all other capabilities are dropped.
 */
export function knownCapabilities(capabilities: unknown): Record<string, Record<string, object>> {
  const stated = inputCapabilities(capabilities);
  return Object.fromEntries(
    Object.entries(MEMBERS).flatMap(([name, members]) => {
      const own = stated[name];
      if (!isJsonObject(own)) return [];
      const known = members.filter((member) => isJsonObject(own[member]));
      // A client that names no modes of elicitation supports the form mode.
      const named = name === 'elicitation' && Object.keys(own).length === 0 ? ['form'] : known;
      return name === 'elicitation' && named.length === 0
        ? []
        : [[name, Object.fromEntries(named.map((member) => [member, {}]))]];
    }),
  );
}

/** Whether a client with these capabilities can receive the input request. */
export function canReceive(capabilities: Readonly<Record<string, unknown>>, request: unknown): boolean {
  const { method, params } = objectOrEmpty(request);
  const name = CAPABILITY_OF[textOf(method)] ?? '';
  if (!(name in capabilities)) return false;
  if (name !== 'elicitation') return true;
  const modes = Object.keys(objectOrEmpty(capabilities[name]));
  const mode = objectOrEmpty(params)['mode'] === 'url' ? 'url' : 'form';
  // A client of 2025-06-18 names no modes, and can show forms.
  return modes.includes(mode) || (modes.length === 0 && mode === 'form');
}

/** The input that a server needs before it continues (2026-07-28, "Multi round-trip requests"). */
export interface InputRequired {
  inputRequests: Record<string, ServerMessage>;
  requestState?: unknown;
}

const MOST_AT_ONCE = 16;
/** Maximum time for the user's response to an input request, in milliseconds. */
const PATIENCE_MS = 300_000;

/** Returns the input requests in a result; undefined when the result has no input requests, or the client lacks a required capability. */
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
 * Sends input requests to a 2025-11-25 client on the stream of its call. The client posts its responses as separate requests, to any
 * replica.
 *
 * @returns the parameters with which the call is repeated
 * @throws JsonRpcRefusal when the client does not respond in time or refuses; the reason of the signal
 */
export async function* requestInput(
  { sessions, sessionChanges }: { sessions: ClientSessionStore; sessionChanges: Pick<SessionChanges, 'until'> },
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
    if (isRefused)
      throw new JsonRpcRefusal(200, INTERNAL_ERROR, 'The client refused an input request of the server', id);
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
    const answered = sessionChanges.until(session.id, async () => {
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
    throw new JsonRpcRefusal(200, INTERNAL_ERROR, 'The client did not answer an input request of the server', id);
  }
}

/** The kind of input request that is used for approvals. A client without this capability gets no approval requests. */
export const FORM = { method: 'elicitation/create', params: { mode: 'form' } } as const;

/** Maximum length of a tool call's arguments in an approval form, in characters. A person cannot judge longer arguments. */
export const SHOWN_CHARACTERS = 8_192;

/**
 * An approval form (2025-11-25 and 2026-07-28, "Elicitation"). The decision is its only field, so that accepting an empty form approves
 * nothing.
 */
export const approvalForm = (message: string) => ({
  method: FORM.method,
  params: {
    ...FORM.params,
    message,
    requestedSchema: {
      type: 'object' as const,
      properties: { approve: { type: 'boolean' as const, title: 'Make this call', default: false } },
      required: ['approve'],
    },
  },
});

/** Returns the decision in a response to {@link approvalForm}; undefined when the user closed the form without a decision. */
export function decisionIn(response: unknown): 'approve' | 'refuse' | undefined {
  const { action, content } = objectOrEmpty(response);
  if (action === 'decline') return 'refuse';
  if (action !== 'accept') return undefined;
  return objectOrEmpty(content)['approve'] === true ? 'approve' : 'refuse';
}
