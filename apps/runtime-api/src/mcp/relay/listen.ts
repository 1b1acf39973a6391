import { z } from 'zod';
import { INVALID_PARAMS, JsonRpcRefusal, type McpRequest, type RequestId } from '../json-rpc.js';
import { eventsAnswer } from '../event-stream.js';
import type { McpAnswer } from '../mcp-call.js';
import type { Seen } from './inspect.js';
import { metaOf, modernResult, SUBSCRIPTION_KEY } from './modern-terms.js';
import { messagesOf, toEvent, type UpstreamMessage } from './translated-answer.js';
import type { Translation } from './translation.js';
import type { CallUpstream, UpstreamAnswer } from './upstream-call.js';
import {
  CALL_SILENCE_MS,
  JSON_HEADERS,
  sessionHeaders,
  STREAM_SILENCE_MS,
  type UpstreamSession,
  type UpstreamSessions,
} from './upstream-session.js';

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

/** `subscriptions/listen` of a legacy server: the stream of a session of its own, which ends with it (2025-11-25, "Listening for messages"). */
export function createLegacyListener(callUpstream: CallUpstream, own: UpstreamSessions) {
  const request = ({ call }: Translation, { id }: McpRequest) => ({ id, signal: call.signal });

  async function subscribe(translation: Translation, asked: McpRequest, session: UpstreamSession, uri: string) {
    const answer = await callUpstream(translation.server, {
      ...request(translation, asked),
      method: 'POST',
      headers: { ...JSON_HEADERS, ...sessionHeaders(session) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } }),
      silenceMs: CALL_SILENCE_MS,
    });
    for await (const message of messagesOf(answer))
      if (message.id === 1 && message.method === undefined) return message.result === undefined ? [] : [uri];
    return [];
  }

  async function* listen(translation: Translation, asked: McpRequest, wanted: Wanted): AsyncGenerator<string> {
    const { server, seen } = translation;
    const session = await own.open(server, asked.id, translation.call.signal);
    try {
      const stream = await callUpstream(server, {
        ...request(translation, asked),
        method: 'GET',
        headers: { accept: 'text/event-stream', ...sessionHeaders(session) },
        silenceMs: STREAM_SILENCE_MS,
      });
      const honoured = stream.response.ok ? honouredOf(wanted, seen) : {};
      const uris: string[] = [];
      for (const uri of honoured.resourceSubscriptions ?? [])
        uris.push(...(await subscribe(translation, asked, session, uri)));
      if (honoured.resourceSubscriptions) honoured.resourceSubscriptions = uris;
      yield toEvent(acknowledged(asked.id, honoured));
      yield* changes(translation, session, stream, asked.id, honoured);
    } finally {
      own.end(server, session);
    }
  }

  async function* changes(
    { server }: Translation,
    session: UpstreamSession,
    stream: UpstreamAnswer,
    id: RequestId,
    honoured: Honoured,
  ): AsyncGenerator<string> {
    if (!stream.response.ok) {
      stream.ended();
      await stream.response.body?.cancel();
      return;
    }
    for await (const message of messagesOf(stream)) {
      if (message.method !== undefined && message.id !== undefined) own.refuse(server, session, message);
      else if (isWanted(message, honoured)) yield toEvent(stamped(message, id));
    }
  }

  /** To the end of the server's stream, which ends the client's too. */
  async function* told(translation: Translation, asked: McpRequest, wanted: Wanted): AsyncGenerator<string> {
    const { seen } = translation;
    const isDeaf = !seen.sessions || Object.keys(honouredOf(wanted, seen)).length === 0;
    if (isDeaf) yield toEvent(acknowledged(asked.id, {}));
    else yield* listen(translation, asked, wanted);
    const result = modernResult(asked.method, { _meta: { [SUBSCRIPTION_KEY]: asked.id } }, seen);
    yield toEvent({ jsonrpc: '2.0', id: asked.id, result });
  }

  /** @throws JsonRpcRefusal */
  return async (translation: Translation, asked: McpRequest): Promise<McpAnswer> => {
    const { success, data } = Wanted.safeParse(asked.params['notifications']);
    if (!success)
      throw new JsonRpcRefusal(200, INVALID_PARAMS, 'Invalid params: notifications is not a filter', asked.id);
    const events = told(translation, asked, data);
    const first = await events.next();
    return eventsAnswer(startingWith(first, events));
  };
}

async function* startingWith(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return(undefined);
  }
}

/** What the server says it can tell. */
function honouredOf(wanted: Wanted, { capabilities: { tools, prompts, resources } }: Seen): Honoured {
  const { resourceSubscriptions = [] } = wanted;
  return {
    ...(wanted.toolsListChanged && tools?.listChanged && { toolsListChanged: true as const }),
    ...(wanted.promptsListChanged && prompts?.listChanged && { promptsListChanged: true as const }),
    ...(wanted.resourcesListChanged && resources?.listChanged && { resourcesListChanged: true as const }),
    ...(resourceSubscriptions.length > 0 && resources?.subscribe && { resourceSubscriptions }),
  };
}

function isWanted({ method, params }: UpstreamMessage, honoured: Honoured): boolean {
  if (method === 'notifications/tools/list_changed') return honoured.toolsListChanged === true;
  if (method === 'notifications/prompts/list_changed') return honoured.promptsListChanged === true;
  if (method === 'notifications/resources/list_changed') return honoured.resourcesListChanged === true;
  const { uri } = (params ?? {}) as { uri?: unknown };
  return method === 'notifications/resources/updated' && (honoured.resourceSubscriptions ?? []).includes(String(uri));
}

function stamped({ method, params }: UpstreamMessage, id: RequestId): object {
  const _meta = { ...metaOf(params), [SUBSCRIPTION_KEY]: id };
  return { jsonrpc: '2.0', method, params: { ...(params as object | undefined), _meta } };
}

const acknowledged = (id: RequestId, notifications: Honoured) =>
  stamped({ method: 'notifications/subscriptions/acknowledged', params: { notifications } }, id);
