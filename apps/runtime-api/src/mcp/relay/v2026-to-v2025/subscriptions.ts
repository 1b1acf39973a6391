import { z } from 'zod';
import {
  CALL_SILENCE_MS,
  STREAM_SILENCE_MS,
  type ServerAnswer,
  type ServerConnections,
  type ServerProbe,
} from '@millwright/mcp';
import { JSON_HEADERS, sessionHeaders, type ServerSession, type ServerSessions } from '@millwright/mcp/server-sessions';
import type { ServerMessage } from '@millwright/mcp/messages';
import { INVALID_PARAMS, JsonRpcRefusal, textOf, type McpRequest, type RequestId } from '@millwright/mcp/json-rpc';
import { eventsAnswer, type McpAnswer } from '../../endpoint/mcp-call.js';
import type { TranslatedCall } from '../relayed-call.js';
import { messagesOf, toEvent } from '../translated-answer.js';
import { metaOf, objectOrEmpty, SUBSCRIPTION_KEY, toV2026Result } from '../../endpoint/v2026-terms.js';

const Wanted = z.looseObject({
  toolsListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
  resourcesListChanged: z.boolean().optional(),
  resourceSubscriptions: z.array(z.string().max(2_000)).max(100).optional(),
});
type Wanted = z.output<typeof Wanted>;

interface Honoured {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

/**
 * Serves `subscriptions/listen` with a 2025-11-25 server: opens a session for this request and reads the session's stream (2025-11-25,
 * "Listening for messages"). The session ends when the stream ends.
 */
export function createSubscriptions(connections: Pick<ServerConnections, 'send'>, serverSessions: ServerSessions) {
  async function subscribe(
    { server, call, held }: TranslatedCall,
    session: ServerSession,
    uri: string,
  ): Promise<string[]> {
    const answer = await connections.send(server, {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...sessionHeaders(session) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } }),
      signal: call.signal,
      silenceMs: CALL_SILENCE_MS,
      held,
    });
    for await (const message of messagesOf(answer))
      if (message.id === 1 && message.method === undefined) return message.result === undefined ? [] : [uri];
    return [];
  }

  async function* listen(relayed: TranslatedCall, id: RequestId, wanted: Wanted): AsyncGenerator<string> {
    const { server, call, probe, held } = relayed;
    const session = await serverSessions.open(server, call.signal);
    try {
      const stream = await connections.send(server, {
        method: 'GET',
        headers: { accept: 'text/event-stream', ...sessionHeaders(session) },
        signal: call.signal,
        silenceMs: STREAM_SILENCE_MS,
        stream: true,
        held,
      });
      const honoured = stream.response.ok ? honouredOf(wanted, probe) : {};
      const uris: string[] = [];
      for (const uri of honoured.resourceSubscriptions ?? []) uris.push(...(await subscribe(relayed, session, uri)));
      if (honoured.resourceSubscriptions) honoured.resourceSubscriptions = uris;
      yield toEvent(acknowledged(id, honoured));
      yield* changes(relayed, session, stream, id, honoured);
    } finally {
      serverSessions.end(server, session);
    }
  }

  async function* changes(
    { server }: TranslatedCall,
    session: ServerSession,
    stream: ServerAnswer,
    id: RequestId,
    honoured: Honoured,
  ): AsyncGenerator<string> {
    if (!stream.response.ok) {
      stream.ended();
      await stream.cancel();
      return;
    }
    for await (const message of messagesOf(stream)) {
      if (message.method !== undefined && message.id !== undefined) serverSessions.refuse(server, session, message);
      else if (isWanted(message, honoured)) yield toEvent(stamped(message, id));
    }
  }

  /** The events for the client. They end when the server's stream ends. */
  async function* events(relayed: TranslatedCall, { id, method }: McpRequest, wanted: Wanted): AsyncGenerator<string> {
    const { probe } = relayed;
    const isSupported = probe.sessions && Object.keys(honouredOf(wanted, probe)).length > 0;
    if (isSupported) yield* listen(relayed, id, wanted);
    else yield toEvent(acknowledged(id, {}));
    const result = toV2026Result(method, { _meta: { [SUBSCRIPTION_KEY]: id } }, probe);
    yield toEvent({ jsonrpc: '2.0', id, result });
  }

  /** Answers `subscriptions/listen`. @throws JsonRpcRefusal when `notifications` is not a valid filter */
  return async (relayed: TranslatedCall, request: McpRequest): Promise<McpAnswer> => {
    const { success, data } = Wanted.safeParse(request.params['notifications']);
    if (!success)
      throw new JsonRpcRefusal(200, INVALID_PARAMS, 'Invalid params: notifications is not a filter', request.id);
    const stream = events(relayed, request, data);
    const first = await stream.next();
    return eventsAnswer(startingWith(first, stream));
  };
}

async function* startingWith(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return(undefined);
  }
}

/** The requested notifications that the server supports. */
function honouredOf(wanted: Wanted, { capabilities: { tools, prompts, resources } }: ServerProbe): Honoured {
  const { resourceSubscriptions = [] } = wanted;
  return {
    ...(wanted.toolsListChanged && tools?.listChanged && { toolsListChanged: true as const }),
    ...(wanted.promptsListChanged && prompts?.listChanged && { promptsListChanged: true as const }),
    ...(wanted.resourcesListChanged && resources?.listChanged && { resourcesListChanged: true as const }),
    ...(resourceSubscriptions.length > 0 && resources?.subscribe && { resourceSubscriptions }),
  };
}

function isWanted({ method, params }: ServerMessage, honoured: Honoured): boolean {
  if (method === 'notifications/tools/list_changed') return honoured.toolsListChanged === true;
  if (method === 'notifications/prompts/list_changed') return honoured.promptsListChanged === true;
  if (method === 'notifications/resources/list_changed') return honoured.resourcesListChanged === true;
  const { uri } = objectOrEmpty(params);
  return method === 'notifications/resources/updated' && (honoured.resourceSubscriptions ?? []).includes(textOf(uri));
}

function stamped({ method, params }: ServerMessage, id: RequestId): object {
  const _meta = { ...metaOf(params), [SUBSCRIPTION_KEY]: id };
  return { jsonrpc: '2.0', method, params: { ...(params as object | undefined), _meta } };
}

const acknowledged = (id: RequestId, notifications: Honoured) =>
  stamped({ method: 'notifications/subscriptions/acknowledged', params: { notifications } }, id);
