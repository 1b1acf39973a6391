import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { eventsAnswer, jsonAnswer } from '../event-stream.js';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  JsonRpcRefusal,
  METHOD_NOT_FOUND,
  SESSION_NOT_FOUND,
  type McpRequest,
  type RequestId,
} from '../json-rpc.js';
import type { McpAnswer, McpCall } from '../mcp-call.js';
import type { Seen } from './inspect.js';
import { IN_BOTH_ERAS, isLoud, legacyMeta, legacyResult, LOG_LEVELS, metaOf } from './modern-terms.js';
import { modernRequest } from './modern-request.js';
import { askable, askClient, questionsIn, type InputRequired } from './questions.js';
import type { RelayedServer } from './relayed-server.js';
import type { Session, SessionStore } from './sessions.store.js';
import { withoutUnoffered, type ToolGuard } from './tool-guard.js';
import { messagesOf, toEvent, translatedAnswer, type Exchange, type UpstreamMessage } from './translated-answer.js';
import type { TranslatedSessionStore } from './translated-sessions.store.js';
import type { Translation } from './translation.js';
import type { CallUpstream } from './upstream-call.js';
import { CALL_SILENCE_MS, STREAM_SILENCE_MS } from './upstream-session.js';
import { watchFor } from './watch-for.js';

interface LegacyToModernDeps {
  callUpstream: CallUpstream;
  guard: Pick<ToolGuard, 'schemaOf'>;
  sessions: SessionStore;
  translated: TranslatedSessionStore;
}

const LATEST_LEGACY = '2025-11-25';
const PROGRESS = 'notifications/progress';
const CHANGED = /^notifications\/((tools|prompts|resources)\/list_changed|resources\/updated)$/;
const SUBSCRIBING = /^resources\/(un)?subscribe$/;
const LONGEST_URI = 2_000;
/** A server that asks on and on is not answered for ever. */
const MOST_ROUNDS = 10;

/** Legacy client, modern server: each request is asked as a client of the modern era, and the session is ours alone. */
export function createLegacyToModern({ callUpstream, guard, sessions, translated }: LegacyToModernDeps) {
  async function exchange(translation: Translation, asked: McpRequest, session?: Session): Promise<McpAnswer> {
    const { server, call, offered } = translation;
    const { id, method, params } = asked;
    const schema = method === 'tools/call' ? await guard.schemaOf(server, params['name']) : undefined;
    const watch = session && watchFor(() => translated.isCancelled(session.id, id));
    const signal = watch ? AbortSignal.any([call.signal, watch.signal]) : call.signal;
    // Who reads no streams is not there to be asked.
    const isThere = session && call.headers['accept']?.includes('text/event-stream') === true;
    const capabilities = isThere ? session.capabilities : {};

    async function send(upstreamId: RequestId, more: object, round: number): Promise<Exchange> {
      const request: McpRequest = { ...asked, id: upstreamId, params: { ...params, ...more } };
      const known = { schema, logLevel: session?.logLevel, capabilities };
      const { headers, body } = modernRequest(request, call.headers, known);
      const upstream = { method: 'POST', headers, body, id, signal, silenceMs: CALL_SILENCE_MS };
      return {
        answer: await callUpstream(server, upstream),
        ids: { upstream: upstreamId, client: id },
        heard: (message) => (isForCall(message, session?.logLevel) ? notificationOf(message) : undefined),
        replied: (message) => ({ status: 200, reply: replyOf(withoutUnoffered(message, offered) as UpstreamMessage) }),
        continued: ({ result }) => {
          const questions = round < MOST_ROUNDS ? questionsIn(result, { capabilities }) : undefined;
          return session && questions && following(session, questions, round);
        },
        isCancelled: () => watch?.signal.aborted === true,
        onEnd: () => watch?.stop(),
      };
    }

    /** 2026-07-28, "Multi round-trip requests": the call again, with the answers and a new id. */
    async function* following(session: Session, questions: InputRequired, round: number) {
      const more = yield* askClient(translated, session, questions, { id, signal });
      return send(randomUUID(), more, round + 1);
    }

    try {
      return await translatedAnswer(await send(id, {}, 1));
    } catch (error) {
      watch?.stop();
      // 2025-11-25, "Cancellation": what was cancelled is not answered.
      if (watch?.signal.aborted) return { status: 202 };
      throw error;
    }
  }

  /** The stream of a session: what the server tells those who listen (2026-07-28, "Subscriptions"). */
  function listen(translation: Translation, session: Session): McpAnswer {
    const { tools, prompts, resources } = translation.seen.capabilities;
    const changes = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
    };
    if (Object.keys(changes).length === 0 && !resources?.subscribe) return notAllowed();
    return eventsAnswer(told(translation, session, changes));
  }

  /** For as long as the server speaks, with whatever the session has subscribed to meanwhile. */
  async function* told({ server, call }: Translation, session: Session, changes: object) {
    // A comment first: the client sees that it is heard.
    yield ':\n\n';
    for (let wanted = session.subscriptions, isOver = false; !isOver && !call.signal.aborted;) {
      let now = wanted;
      const changed = watchFor(async () => {
        now = await translated.subscriptionsOf(session.id);
        return String(now) !== String(wanted);
      });
      const signal = AbortSignal.any([call.signal, changed.signal]);
      const notifications = { ...changes, ...(wanted.length > 0 && { resourceSubscriptions: wanted }) };
      try {
        if (Object.keys(notifications).length > 0) yield* heardFrom(server, call, notifications, signal);
        else if (!signal.aborted) await once(signal, 'abort');
      } finally {
        changed.stop();
      }
      isOver = !changed.signal.aborted;
      wanted = now;
    }
  }

  async function* heardFrom(server: RelayedServer, call: McpCall, notifications: object, signal: AbortSignal) {
    const id = randomUUID();
    const asked: McpRequest = { kind: 'request', id, method: 'subscriptions/listen', params: { notifications } };
    const { headers, body } = modernRequest(asked, call.headers, {});
    try {
      const upstream = { method: 'POST', headers, body, id: null, signal, silenceMs: STREAM_SILENCE_MS };
      for await (const { id, method, params } of messagesOf(await callUpstream(server, upstream))) {
        if (id !== undefined && method === undefined) return;
        if (CHANGED.test(String(method))) yield toEvent({ jsonrpc: '2.0', method, ...withLegacyMeta(params) });
      }
    } catch {
      // The stream of a session may end at any time; its client opens another.
    }
  }

  async function subscribe(session: Session, { id, method, params: { uri } }: McpRequest): Promise<void> {
    if (typeof uri !== 'string' || uri.length > LONGEST_URI || uri.includes('\0'))
      throw new JsonRpcRefusal(200, INVALID_PARAMS, 'Invalid params: uri is not the address of a resource', id);
    if (method === 'resources/unsubscribe') await translated.unsubscribe(session.id, uri);
    else if (!(await translated.subscribe(session.id, uri)))
      throw new JsonRpcRefusal(200, INVALID_PARAMS, 'Invalid params: there are too many subscriptions', id);
  }

  async function serveRequest(translation: Translation, asked: McpRequest): Promise<McpAnswer> {
    const { server, call, seen } = translation;
    const answer = (result: object, headers = {}) => jsonAnswer({ jsonrpc: '2.0', id: asked.id, result }, { headers });
    if (asked.method === 'initialize') {
      const capabilities = askable(asked.params['capabilities']);
      const owner = { userId: call.principal.user.id, server };
      const sessionId = await sessions.open(owner, null, capabilities);
      return answer(introduction(seen, asked.params), { 'mcp-session-id': sessionId });
    }
    const session = requireSession(translation);
    if (asked.method === 'ping') return answer({});
    if (asked.method === 'logging/setLevel' && session && seen.capabilities.logging) {
      const level = String(asked.params['level']);
      if (!LOG_LEVELS.includes(level))
        throw new JsonRpcRefusal(200, INVALID_PARAMS, 'Invalid params: there is no such level', asked.id);
      await translated.setLogLevel(session.id, level);
      return answer({});
    }
    if (SUBSCRIBING.test(asked.method) && session && seen.capabilities.resources?.subscribe) {
      await subscribe(session, asked);
      return answer({});
    }
    if (IN_BOTH_ERAS.has(asked.method)) return exchange(translation, asked, session);
    throw new JsonRpcRefusal(200, METHOD_NOT_FOUND, 'Method not found', asked.id);
  }

  /** @throws JsonRpcRefusal */
  return async (translation: Translation): Promise<McpAnswer> => {
    const { message, request } = translation.call;
    if (message?.kind === 'request') return serveRequest(translation, message);
    const session = requireSession(translation);
    if (message) {
      const { requestId } = message.kind === 'notification' ? message.params : {};
      const isCancel = message.kind === 'notification' && message.method === 'notifications/cancelled';
      if (session && isCancel && (typeof requestId === 'string' || typeof requestId === 'number'))
        await translated.cancel(session.id, requestId);
      if (session && message.kind === 'response' && typeof message.id === 'string') {
        const { id, result, error } = message;
        await translated.answer(session.id, id, error === undefined ? { result } : { error });
      }
      return { status: 202 };
    }
    if (!session) return notAllowed();
    if (request.method !== 'DELETE') return listen(translation, session);
    await sessions.close(session.id);
    return { status: 200 };
  };
}

/** `undefined` for a client without one. @throws JsonRpcRefusal */
function requireSession({ call: { headers, message }, session }: Translation): Session | undefined {
  if (headers['mcp-session-id'] === undefined) return undefined;
  if (session?.upstreamId === null) return session;
  const request = message?.kind === 'request' ? message.id : null;
  throw new JsonRpcRefusal(404, SESSION_NOT_FOUND, 'Session not found', request);
}

const notAllowed = (): McpAnswer => ({ status: 405, headers: { Allow: 'POST' } });

/** A server may log whatever was asked of it. */
function isForCall(message: UpstreamMessage, level: unknown): boolean {
  if (message.id !== undefined) return false;
  return message.method === 'notifications/message' ? isLoud(message, level) : message.method === PROGRESS;
}

const notificationOf = ({ method, params }: UpstreamMessage) => ({ jsonrpc: '2.0', method, params });

/** 2025-11-25, "Initialization": the version asked for where we have it, and what can be carried across. */
function introduction({ capabilities, info, instructions }: Seen, { protocolVersion: asked }: McpRequest['params']) {
  const isKnown = typeof asked === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(asked);
  const { tools, prompts, resources, completions, logging } = capabilities;
  const carried = ({ listChanged }: { listChanged?: boolean | undefined }) => (listChanged ? { listChanged } : {});
  return {
    protocolVersion: isKnown ? asked : LATEST_LEGACY,
    capabilities: {
      ...(tools && { tools: carried(tools) }),
      ...(prompts && { prompts: carried(prompts) }),
      ...(resources && { resources: { ...carried(resources), ...(resources.subscribe && { subscribe: true }) } }),
      ...(completions && { completions: {} }),
      ...(logging && { logging: {} }),
    },
    serverInfo: info,
    ...(instructions !== undefined && { instructions }),
  };
}

/** An answer in legacy terms. A server that needs input first has asked for what nobody promised. */
function replyOf({ result, error }: UpstreamMessage): object {
  if (error !== undefined) return { error };
  const { resultType } = (result ?? {}) as { resultType?: unknown };
  if (resultType === 'input_required')
    return {
      error: { code: INTERNAL_ERROR, message: 'The server asks for input that cannot be carried to this client' },
    };
  return { result: legacyResult(result) };
}

function withLegacyMeta(params: unknown): object {
  const _meta = legacyMeta(metaOf(params));
  const rest = Object.entries(params ?? {}).filter(([name]) => name !== '_meta');
  const kept = { ...Object.fromEntries(rest), ...(Object.keys(_meta).length > 0 && { _meta }) };
  return Object.keys(kept).length > 0 ? { params: kept } : {};
}
