import { once } from 'node:events';
import { attributed, CALL_SILENCE_MS, withoutUnavailableTools, type ServerConnections } from '@millwright/mcp';
import { JSON_HEADERS, sessionHeaders, type ServerSessions } from '@millwright/mcp/server-sessions';
import type { ServerMessage } from '@millwright/mcp/messages';
import { isJsonObject, type JsonObject } from '@millwright/json';
import {
  brokenOff,
  errorBody,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  JsonRpcRefusal,
  refusalOf,
  type McpRequest,
} from '@millwright/mcp/json-rpc';
import {
  type SessionChanges,
  formatState,
  type RequestState,
  type WaitingCallStore,
} from '@millwright/mcp/client-sessions';
import { canReceive } from '../input-requests.js';
import type { SentRequest, TranslatedCall } from '../relayed-call.js';
import type { Outgoing } from '../../endpoint/mcp-call.js';
import { messagesOf, within } from '../translated-answer.js';
import { objectOrEmpty, SERVER_INFO_KEY, toV2026Error, toV2026Result } from '../../endpoint/v2026-terms.js';

/** The methods whose answer may require input (2026-07-28, "Multi round-trip requests"). */
export const MAY_REQUIRE_INPUT: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** After an input request, the time in milliseconds for which further input requests of the server are added to the same round. */
const INPUT_BATCH_MS = 100;
/** Maximum time for the user's response to an input request, in milliseconds. */
const PATIENCE_MS = 300_000;
/** Milliseconds between the updates that record that this process still keeps a call open. */
const HEARTBEAT_MS = 10_000;
/** Limit of the rounds in which a server may request input for one call. */
const MOST_ROUNDS = 10;
const MOST_AT_ONCE = 16;

/** The message that the client gets at the end of a round: the answer or the server's input requests. */
interface Reply {
  status: number;
  reply: object;
  requiresInput: boolean;
}

interface HeldCallDeps {
  connections: Pick<ServerConnections, 'send'>;
  serverSessions: Pick<ServerSessions, 'refuse'>;
  waiting: WaitingCallStore;
  sessionChanges: Pick<SessionChanges, 'until'>;
  draining?: AbortSignal | undefined;
}

/**
 * Keeps requests of 2026-07-28 clients open while their 2025-11-25 server waits for input. The client gets the input requests as a result,
 * and then repeats its request with the responses, to any replica. Meanwhile, this process keeps the request to the server open.
 */
export function createHeldCalls({ connections, serverSessions, waiting, sessionChanges, draining }: HeldCallDeps) {
  const ownerOf = ({ server, call }: TranslatedCall, request: McpRequest) => ({
    ...{ userId: call.principal.user.id, serverId: server.id },
    request,
  });

  /**
   * Returns the messages for the client. They end with the answer or with the server's input requests.
   * @throws JsonRpcRefusal when the server gives no answer, or when too many calls of the user wait
   */
  async function* answer(sent: SentRequest): AsyncGenerator<Outgoing> {
    const { relayed, request } = sent;
    const rounds = createRounds(sent);
    let isHeld = false;
    try {
      const reply = yield* rounds.next(true);
      if (!reply.requiresInput) {
        yield outgoing(request, reply);
        return;
      }
      const secret = await waiting.begin(ownerOf(relayed, request), 'held');
      if (secret === undefined)
        throw new JsonRpcRefusal(503, INTERNAL_ERROR, 'Too many calls of the user wait for an answer', request.id);
      isHeld = true;
      void hold(secret, sent, rounds);
      yield outgoing(request, reply, { secret, round: 0 });
    } catch (error) {
      throw refusalOf(error, request.id);
    } finally {
      if (!isHeld) rounds.end();
    }
  }

  /**
   * Continues an open request: sends the responses to the server, and returns the server's next messages.
   * @throws JsonRpcRefusal for an invalid `requestState`, or when the process that keeps the request open has ended
   */
  async function* proceed(
    relayed: TranslatedCall,
    request: McpRequest,
    state?: RequestState,
  ): AsyncGenerator<Outgoing> {
    const { id, params } = request;
    const responses = JSON.stringify(objectOrEmpty(params['inputResponses']));
    if (!state || !(await waiting.respond(state, ownerOf(relayed, request), responses))) {
      const text = 'Invalid params: requestState is not known here, was used, or has expired. Make the call again';
      throw new JsonRpcRefusal(200, INVALID_PARAMS, text, id);
    }
    const { signal } = relayed.call;
    const reply = await settled(state.secret, () => waiting.findReply(state), signal);
    if (signal.aborted) await waiting.end(state.secret);
    if (reply === undefined) throw brokenOff(id);
    const stored = JSON.parse(reply) as Reply;
    if (!stored.requiresInput) await waiting.end(state.secret);
    yield outgoing(request, stored, { ...state, round: state.round + 1 });
  }

  /** Keeps the request to the server open from its first input requests until its answer. */
  async function hold(secret: string, sent: SentRequest, rounds: ReturnType<typeof createRounds>): Promise<void> {
    const { relayed, request, answer: received, over } = sent;
    let awaitsUser = true;
    const alive = async () => {
      if (awaitsUser) received.alive();
      if (!(await waiting.noteHeld(secret))) over.abort(new Error('The call is over.'));
    };
    const timer = setInterval(() => void alive().catch(() => undefined), HEARTBEAT_MS).unref();
    try {
      for (let requiresInput = true, round = 1; requiresInput; round++) {
        const ends = draining ? [over.signal, draining] : [over.signal];
        const patience = AbortSignal.any([...ends, AbortSignal.timeout(PATIENCE_MS)]);
        const responses = await settled(secret, () => waiting.findResponses(secret), patience);
        if (responses === undefined) {
          await waiting.end(secret);
          return;
        }
        awaitsUser = false;
        const reply = await replyTo(JSON.parse(responses) as JsonObject, round < MOST_ROUNDS);
        if (!(await waiting.reply(secret, JSON.stringify(reply)))) return;
        awaitsUser = requiresInput = reply.requiresInput;
      }
    } catch {
      // The error is not reported here. The replica that receives the client's next request detects that no process keeps the call open,
      // and answers with an error.
    } finally {
      clearInterval(timer);
      rounds.end();
      relayed.held.free();
    }

    async function replyTo(responses: JsonObject, mayRequireInput: boolean): Promise<Reply> {
      try {
        await rounds.respond(responses);
        const messages = rounds.next(mayRequireInput);
        for (;;) {
          const { done, value } = await messages.next();
          if (done) return value;
        }
      } catch (error) {
        const { status, code, message } = refusalOf(error, request.id);
        const { error: body } = errorBody(new JsonRpcRefusal(status, code, message, request.id));
        return { status, reply: { error: body }, requiresInput: false };
      }
    }
  }

  /**
   * Waits until `find` finds the next responses or the next reply of the call. Returns `undefined` when the call has ended, or when the
   * signal aborts first.
   */
  async function settled(
    secret: string,
    find: () => Promise<string | null | undefined>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const state: { found: string | null | undefined } = { found: null };
    const watch = sessionChanges.until(secret, async () => {
      state.found = await find();
      return state.found !== null;
    });
    const over = AbortSignal.any([watch.signal, signal]);
    try {
      if (!over.aborted) await once(over, 'abort');
    } finally {
      watch.stop();
    }
    return state.found ?? undefined;
  }

  /** Groups the server's messages for one request into rounds. */
  function createRounds(sent: SentRequest) {
    const { relayed, request, session, answer: received, upstreamId, capabilities, over, cancel } = sent;
    const { server, available, probe, held } = relayed;
    const messages = messagesOf(received);
    let coming: Promise<IteratorResult<ServerMessage>> | undefined;
    /** The input requests that wait for a response, by the name under which the client receives them. */
    const open = new Map<string, ServerMessage>();
    let [named, answered] = [0, false];

    function accept(message: ServerMessage, mayRequireInput: boolean): void {
      const isAccepted = mayRequireInput && MAY_REQUIRE_INPUT.has(request.method) && canReceive(capabilities, message);
      if (!isAccepted || open.size >= MOST_AT_ONCE) serverSessions.refuse(server, session, message);
      else open.set(`input_${(named += 1)}`, message);
    }

    function toReply(message: ServerMessage): Reply {
      if (message.error !== undefined) return { ...toV2026Error(message.error), requiresInput: false };
      const { result } = withoutUnavailableTools(message, available);
      return { status: 200, reply: { result: toV2026Result(request.method, result, probe) }, requiresInput: false };
    }

    function inputRequired(): Reply {
      const inputRequests = Object.fromEntries([...open].map(([name, message]) => [name, toInputRequest(message)]));
      const _meta = { [SERVER_INFO_KEY]: probe.info };
      return {
        status: 200,
        reply: { result: { resultType: 'input_required', inputRequests, _meta } },
        requiresInput: true,
      };
    }

    return {
      async *next(mayRequireInput: boolean): AsyncGenerator<Outgoing, Reply> {
        for (;;) {
          coming ??= messages.next();
          // Prevents an unhandled rejection. The server may fail while the user decides, when nothing awaits this promise.
          coming.catch(() => undefined);
          const step = open.size > 0 ? await within(INPUT_BATCH_MS, coming) : await coming;
          if (!step) return inputRequired();
          coming = undefined;
          const message = step.done ? undefined : attributed(step.value, server.name);
          if (!message) throw brokenOff(request.id);
          if (message.method !== undefined && message.id !== undefined) accept(message, mayRequireInput);
          else if (message.method !== undefined) {
            const notification = sent.translateNotification(message);
            if (notification) yield { message: notification };
          } else if (message.id === upstreamId || (!received.response.ok && message.id === null)) {
            answered = true;
            return toReply(message);
          }
        }
      },

      /** Sends the responses to the server (2025-11-25, "Sending messages to the server"). Requests without a response stay open. */
      async respond(responses: JsonObject): Promise<void> {
        for (const [name, { id }] of open) {
          const result = responses[name];
          if (!isJsonObject(result)) continue;
          const posted = await connections.send(server, {
            method: 'POST',
            headers: { ...JSON_HEADERS, ...sessionHeaders(session) },
            body: JSON.stringify({ jsonrpc: '2.0', id, result }),
            signal: over.signal,
            silenceMs: CALL_SILENCE_MS,
            held,
          });
          posted.ended();
          await posted.cancel();
          open.delete(name);
        }
      },

      end(): void {
        over.abort(new Error('The call is over.'));
        if (!answered) cancel();
        void messages.return(undefined).catch(() => undefined);
      },
    };
  }

  return { answer, proceed };
}

/** Converts an input request to the form of 2026-07-28, without the fields that exist only in 2025-11-25. */
function toInputRequest({ method, params }: ServerMessage): object {
  const kept: Record<string, unknown> = { ...objectOrEmpty(params) };
  delete kept['_meta'];
  delete kept['elicitationId'];
  return { method, ...(params !== undefined && { params: kept }) };
}

function outgoing({ id }: McpRequest, { status, reply, requiresInput }: Reply, state?: RequestState): Outgoing {
  const addressed = { jsonrpc: '2.0', id };
  if (!requiresInput || !state) return { status, message: { ...addressed, ...reply } };
  const { result } = objectOrEmpty(reply);
  return { status, message: { ...addressed, result: { ...objectOrEmpty(result), requestState: formatState(state) } } };
}
