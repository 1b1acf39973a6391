import { randomUUID } from 'node:crypto';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  JsonRpcRefusal,
  METHOD_NOT_FOUND,
  type McpRequest,
  type RequestId,
} from '../json-rpc.js';
import { jsonAnswer } from '../event-stream.js';
import type { McpAnswer } from '../mcp-call.js';
import type { Seen } from './inspect.js';
import { createLegacyListener } from './listen.js';
import {
  CAPABILITIES_KEY,
  IN_BOTH_ERAS,
  isLoud,
  legacyMeta,
  LOG_LEVEL_KEY,
  metaOf,
  modernError,
  modernResult,
  SUPPORTED_VERSIONS,
  TRACING,
  VERSION_KEY,
} from './modern-terms.js';
import type { SharedSessionStore } from './shared-sessions.store.js';
import { withoutUnoffered } from './tool-guard.js';
import { translatedAnswer, type UpstreamMessage } from './translated-answer.js';
import type { Translation } from './translation.js';
import type { CallUpstream, UpstreamAnswer } from './upstream-call.js';
import {
  CALL_SILENCE_MS,
  JSON_HEADERS,
  sessionHeaders,
  type UpstreamSession,
  type UpstreamSessions,
} from './upstream-session.js';

/** Without a key: one that is not shared. */
type OurSession = UpstreamSession & { key?: string };

interface ModernToLegacyDeps {
  callUpstream: CallUpstream;
  own: UpstreamSessions;
  shared: SharedSessionStore;
}

/** Modern client, legacy server: each request is asked in a session that all clients of the user share. */
export function createModernToLegacy({ callUpstream, own, shared }: ModernToLegacyDeps) {
  const listen = createLegacyListener(callUpstream, own);

  /** The user's session, a new one in the place of `stale`; where two are opened at once, the first that is kept counts. */
  async function sessionOf({ server, call }: Translation, id: RequestId, stale?: OurSession): Promise<OurSession> {
    const owner = { userId: call.principal.user.id, server };
    const known = await shared.find(owner);
    if (known && known.key !== stale?.key) return known;
    const opened = await own.open(server, id, call.signal);
    const kept = await shared.keep(owner, opened, stale?.key);
    if (kept) return kept;
    const first = await shared.find(owner);
    if (!first) return opened;
    own.end(server, opened);
    return first;
  }

  async function ask(translation: Translation, request: McpRequest, upstreamId: string) {
    const { server, call } = translation;
    const headers = Object.fromEntries(Object.entries(call.headers).filter(([name]) => TRACING.includes(name)));
    const body = JSON.stringify({ jsonrpc: '2.0', ...inLegacyTerms(request, upstreamId) });
    const send = (session: OurSession) =>
      callUpstream(server, {
        method: 'POST',
        headers: { ...headers, ...JSON_HEADERS, ...sessionHeaders(session) },
        body,
        id: request.id,
        signal: call.signal,
        silenceMs: CALL_SILENCE_MS,
      });
    let session = await sessionOf(translation, request.id);
    const cancel = () => own.tell(server, session, cancelled(upstreamId));
    try {
      let answer: UpstreamAnswer = await send(session);
      // 2025-11-25, "Session management": a session that is over is opened again.
      if (answer.response.status === 404 && session.id !== null) {
        answer.ended();
        await answer.response.body?.cancel();
        session = await sessionOf(translation, request.id, session);
        answer = await send(session);
      }
      return { session, answer, cancel };
    } catch (error) {
      // A lost connection is no cancel there.
      if (call.signal.aborted) cancel();
      throw error;
    }
  }

  async function exchange(translation: Translation, request: McpRequest): Promise<McpAnswer> {
    const { server, seen, offered } = translation;
    const upstreamId = randomUUID();
    const { session, answer, cancel } = await ask(translation, request, upstreamId);
    const { progressToken, [LOG_LEVEL_KEY]: level } = metaOf(request.params);
    return translatedAnswer({
      answer,
      ids: { upstream: upstreamId, client: request.id },
      heard: (message) => {
        if (message.id !== undefined) own.refuse(server, session, message);
        else if (message.method === 'notifications/message') return isLoud(message, level) ? message : undefined;
        else return progressFor(message, upstreamId, progressToken);
        return undefined;
      },
      replied: (message) => {
        if (message.error !== undefined) return modernError(message.error);
        const { result } = withoutUnoffered(message, offered) as UpstreamMessage;
        return { status: 200, reply: { result: modernResult(request.method, result, seen) } };
      },
      onEnd: (answered) => answered || cancel(),
    });
  }

  /** @throws JsonRpcRefusal */
  return async (translation: Translation): Promise<McpAnswer> => {
    const { call, seen } = translation;
    const { message } = call;
    if (message?.kind === 'notification') return { status: 202 };
    if (message?.kind !== 'request')
      throw new JsonRpcRefusal(400, INVALID_REQUEST, 'Invalid request: nothing was asked', null);
    const { id, method, params } = message;
    const missing = REQUIRED_META.find(([key, type]) => typeof metaOf(params)[key] !== type);
    if (missing) throw new JsonRpcRefusal(400, INVALID_PARAMS, `Invalid params: _meta has to hold ${missing[0]}`, id);
    if (method === 'server/discover')
      return jsonAnswer({ jsonrpc: '2.0', id, result: modernResult(method, introduction(seen), seen) });
    if (method === 'subscriptions/listen') return listen(translation, message);
    if (!IN_BOTH_ERAS.has(method)) throw new JsonRpcRefusal(404, METHOD_NOT_FOUND, 'Method not found', id);
    return exchange(translation, message);
  };
}

/** 2026-07-28, "Request metadata". */
const REQUIRED_META = [
  [VERSION_KEY, 'string'],
  [CAPABILITIES_KEY, 'object'],
] as const;

/** 2026-07-28, "Discovery". */
function introduction({ capabilities, instructions }: Seen) {
  const carried = { ...capabilities };
  delete carried.tasks;
  return {
    supportedVersions: SUPPORTED_VERSIONS,
    capabilities: carried,
    ...(instructions !== undefined && { instructions }),
  };
}

/** Ids and progress tokens of the user's clients would meet in the one session: each request has one of its own there. */
function inLegacyTerms({ method, params }: McpRequest, upstreamId: string): object {
  const meta = legacyMeta(metaOf(params));
  if (meta['progressToken'] !== undefined) meta['progressToken'] = upstreamId;
  const rest = { ...params };
  delete rest['_meta'];
  return { id: upstreamId, method, params: { ...rest, ...(Object.keys(meta).length > 0 && { _meta: meta }) } };
}

function progressFor(message: UpstreamMessage, upstreamId: string, progressToken: unknown): object | undefined {
  const params = message.params as { progressToken?: unknown } | undefined;
  const isOurs = message.method === 'notifications/progress' && params?.progressToken === upstreamId;
  if (!isOurs || progressToken === undefined) return undefined;
  return { ...message, params: { ...params, progressToken } };
}

const cancelled = (requestId: string) => ({
  method: 'notifications/cancelled',
  params: { requestId, reason: 'The client left.' },
});
