import { PassThrough } from 'node:stream';
import { isV2026Client } from '../relay/relayed-call.js';
import { toEvent } from '../relay/translated-answer.js';
import { canReceive, FORM, knownCapabilities, requestInput } from '../relay/input-requests.js';
import { CAPABILITIES_KEY, metaOf, objectOrEmpty } from '../endpoint/v2026-terms.js';
import { JsonRpcRefusal, SESSION_NOT_FOUND } from '@millwright/mcp/json-rpc';
import { eventsAnswer, type InputWay, type McpAnswer, type McpCall } from '../endpoint/mcp-call.js';
import {
  BUILTIN_SERVER,
  type ClientSession,
  type ClientSessionStore,
  type SessionChanges,
} from '@millwright/mcp/client-sessions';

type Serve = (call: McpCall, input: InputWay | undefined) => Promise<McpAnswer>;

/**
 * Serves calls of the built-in server that may request input from the client's user. A 2026-07-28 client states its capabilities in each
 * call. A 2025-11-25 client that can show forms gets a session, because it sends its responses as separate requests, to any replica. The
 * session serves only this purpose.
 */
export function createBuiltinSessions(sessions: ClientSessionStore, sessionChanges: Pick<SessionChanges, 'until'>) {
  async function sessionOf({ headers, principal, message }: McpCall): Promise<ClientSession | undefined> {
    const id = headers['mcp-session-id'];
    if (id === undefined) return undefined;
    const session = await sessions.findBuiltin(principal.user.id, id);
    const requestId = message?.kind === 'request' ? message.id : null;
    if (!session) throw new JsonRpcRefusal(404, SESSION_NOT_FOUND, 'Session not found', requestId);
    await sessions.noteUse(session);
    return session;
  }

  /** Opens a session when the client declares in its `initialize` request that it can show forms. */
  async function withSession(call: McpCall, answer: McpAnswer): Promise<McpAnswer> {
    const { message, principal } = call;
    if (message?.kind !== 'request' || message.method !== 'initialize' || answer.status !== 200) return answer;
    const capabilities = knownCapabilities(message.params['capabilities']);
    if (!canReceive(capabilities, FORM)) return answer;
    const id = await sessions.open({ userId: principal.user.id, server: BUILTIN_SERVER }, null, capabilities);
    return { ...answer, headers: { ...answer.headers, 'mcp-session-id': id } };
  }

  /** Serves a call whose client can receive input requests on the stream of the answer. */
  function onStream(call: McpCall, session: ClientSession, serve: Serve): McpAnswer {
    const events = new PassThrough({ objectMode: true });
    const id = call.message?.kind === 'request' ? call.message.id : null;
    const ask: Extract<InputWay, { by: 'stream' }>['ask'] = async (inputRequests) => {
      const asking = requestInput(
        { sessions, sessionChanges },
        session,
        { inputRequests },
        { id: id ?? '', signal: call.signal },
      );
      let step = await asking.next();
      for (; !step.done; step = await asking.next()) events.write(toEvent(step.value.message));
      return objectOrEmpty(objectOrEmpty(step.value)['inputResponses']);
    };
    const write = async ({ body }: McpAnswer) => {
      if (typeof body === 'string') events.write(toEvent(JSON.parse(body) as object));
      else if (body) for await (const part of body) events.write(part);
      events.end();
    };
    void serve(call, { by: 'stream', ask })
      .then(write)
      .catch((error: unknown) => events.destroy(error instanceof Error ? error : new Error('no answer')));
    return eventsAnswer(events);
  }

  /** Serves a request in the session that it names, if any. @throws JsonRpcRefusal 404 for a session that has ended */
  return async (call: McpCall, serve: Serve): Promise<McpAnswer> => {
    const { message, method, headers } = call;
    if (isV2026Client(call)) {
      if (message?.kind !== 'request' || !canReceive(knownCapabilities(metaOf(message.params)[CAPABILITIES_KEY]), FORM))
        return serve(call, undefined);
      const { requestState, inputResponses } = message.params;
      return serve(call, { by: 'result', requestState, inputResponses });
    }
    const session = await sessionOf(call);
    if (!session) return withSession(call, await serve(call, undefined));
    if (method === 'DELETE') {
      await sessions.close(session.id);
      return { status: 204 };
    }
    if (message?.kind === 'response') {
      await sessions.keepResponse(session.id, message);
      return { status: 202 };
    }
    const canAsk = message?.kind === 'request' && headers['accept']?.includes('text/event-stream') === true;
    const isCall = canAsk && message.method === 'tools/call' && canReceive(session.capabilities, FORM);
    return isCall ? onStream(call, session, serve) : serve(call, undefined);
  };
}
export type BuiltinSessions = ReturnType<typeof createBuiltinSessions>;
