import { allowsTool, type Principal } from '@millwright/auth';
import { createUpstreamFetch, notConnectedIn, type SecretBox } from '@millwright/catalog';
import { encodeId, type Database } from '@millwright/db';
import { createBreakers, type Egress } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import { connectUrlOf } from '../../connections/connect-url.js';
import { INVALID_REQUEST, JsonRpcRefusal, NOT_CONNECTED, type RequestId } from '../json-rpc.js';
import type { McpAnswer, McpCall, McpTarget } from '../mcp-call.js';
import { isLegacyClient, requireMirroredHeaders } from './client-era.js';
import { createInspector } from './inspect.js';
import { createLegacyRelay } from './legacy.js';
import { createLegacyToModern } from './legacy-to-modern.js';
import { createModernToLegacy } from './modern-to-legacy.js';
import { relayedAnswer } from './relayed-answer.js';
import type { Offered, Registered, RelayedServer } from './relayed-server.js';
import { createSessionStore } from './sessions.store.js';
import { createSharedSessionStore } from './shared-sessions.store.js';
import { createToolGuard } from './tool-guard.js';
import { createTranslatedSessionStore } from './translated-sessions.store.js';
import { unsupportedVersion } from './unsupported-version.js';
import { createUpstreamCaller, unavailable } from './upstream-call.js';
import { CALL_SILENCE_MS, createUpstreamSessions, STREAM_SILENCE_MS } from './upstream-session.js';

export interface RelayDeps {
  db: Database;
  egress: Pick<Egress, 'fetch' | 'request'>;
  /** Opens what upstreams are sent. */
  box: SecretBox;
  /** Where users connect their accounts. */
  runtimeUrl: string;
}

/** Serves the registered servers of a project: as they are, without the tools that are not on offer. */
export function createRelay({ db, egress, box, runtimeUrl }: RelayDeps) {
  const upstreamFetch = createUpstreamFetch({ db, fetch: egress.fetch, secrets: box });
  const breakerOf = createBreakers('mcp');
  const inspect = createInspector(upstreamFetch, breakerOf);
  const guard = createToolGuard(db, inspect);
  const callUpstream = createUpstreamCaller({ request: upstreamFetch.through(egress.request), breakerOf });
  const own = createUpstreamSessions(callUpstream);
  const sessions = createSessionStore(db);
  const translated = createTranslatedSessionStore(db);
  const legacyToModern = createLegacyToModern({ callUpstream, guard, sessions, translated });
  const modernToLegacy = createModernToLegacy({ callUpstream, own, shared: createSharedSessionStore(db) });
  const serveLegacy = createLegacyRelay(callUpstream, own, sessions);

  async function serveModern(server: RelayedServer, call: McpCall, offered: Offered): Promise<McpAnswer> {
    const { message, headers, body, signal } = call;
    requireMirroredHeaders(call);
    const id = message?.kind === 'request' ? message.id : null;
    const isStream = message?.kind === 'request' && message.method === 'subscriptions/listen';
    const silenceMs = isStream ? STREAM_SILENCE_MS : CALL_SILENCE_MS;
    const passed = { ...headers, accept: 'application/json, text/event-stream' };
    const answer = await callUpstream(server, { method: 'POST', headers: passed, body, id, signal, silenceMs });
    return relayedAnswer({ answer, id, offered });
  }

  const notConnected = ({ id, name }: RelayedServer, request: RequestId | null) => {
    const url = connectUrlOf(runtimeUrl, encodeId('ms', id));
    const message = `Connect your account to the MCP server ${name} in a browser, then try again: ${url}`;
    return new JsonRpcRefusal(request === null ? 403 : 200, NOT_CONNECTED, message, request, { data: { url } });
  };

  async function serve({ server, offered, session }: Registered, call: McpCall): Promise<McpAnswer> {
    const { message } = call;
    const id = message?.kind === 'request' ? message.id : null;
    if (message?.kind === 'notification' && message.method === 'tools/call')
      throw new JsonRpcRefusal(400, INVALID_REQUEST, 'Invalid request: a call needs an id');
    if (server.status !== 'active') throw unavailable(id);
    try {
      await upstreamFetch.requireConnected(server, server.userId);
      if (session) await sessions.noteUse(session);
      const legacy = isLegacyClient(call);
      const seen = await inspect.eraOf(server);
      const isTranslated = !legacy && seen.era === 'legacy';
      if (isTranslated) requireMirroredHeaders(call);
      const refused = isTranslated ? unsupportedVersion(call) : undefined;
      if (refused) return refused;
      if (message?.kind === 'request' && message.method === 'tools/call')
        await guard.admitCall(server, offered, call, message);
      if (!legacy && seen.era === 'modern') return await serveModern(server, call, offered);
      if (!legacy) return await modernToLegacy({ server, call, seen, offered, session });
      if (seen.era === 'modern') return await legacyToModern({ server, call, seen, offered, session });
      return await serveLegacy({ server, call, id, sessions: seen.sessions, offered, session });
    } catch (error) {
      if (notConnectedIn(error)) throw notConnected(server, id);
      // What a look at the server threw, which says no more than that it cannot be had.
      throw error instanceof JsonRpcRefusal || error instanceof AppError ? error : unavailable(id, error);
    }
  }

  return ({ server, offered, session }: Registered): McpTarget => ({
    scopesOf: () => [],
    serve: (call) =>
      serve({ server: asUser(server, call), offered: allowedTo(call.principal, server, offered), session }, call),
  });
}

const allowedTo = ({ mcpTools }: Principal, { slug }: RelayedServer, offered: Offered): Offered =>
  new Map([...offered].filter(([name]) => allowsTool([mcpTools], slug, name)));

/** A server that asks for users' own accounts is called with that of the user, and of nobody else. */
const asUser = (server: RelayedServer, { principal }: McpCall): RelayedServer =>
  server.auth.type === 'user' ? { ...server, userId: principal.user.id } : server;
