import type { Project } from '@millwright/auth';
import type { SecretBox } from '@millwright/catalog';
import type { Database } from '@millwright/db';
import { createBreakers, type EgressFetch } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import { INVALID_REQUEST, JsonRpcRefusal } from '../json-rpc.js';
import type { McpCall, McpTarget } from '../mcp-call.js';
import { isLegacyClient, requireMirroredHeaders } from './client-era.js';
import { createInspector } from './inspect.js';
import { createLegacyRelay } from './legacy.js';
import { createLegacyToModern } from './legacy-to-modern.js';
import { createModernToLegacy } from './modern-to-legacy.js';
import { relayedAnswer } from './relayed-answer.js';
import { findRelayedServer, type RelayedServer } from './relayed-server.js';
import { createSessionStore } from './sessions.store.js';
import { createSharedSessionStore } from './shared-sessions.store.js';
import { createToolGuard } from './tool-guard.js';
import { createTranslatedSessionStore } from './translated-sessions.store.js';
import { unsupportedVersion } from './unsupported-version.js';
import { createUpstreamCaller, unavailable } from './upstream-call.js';
import { CALL_SILENCE_MS, createUpstreamSessions, STREAM_SILENCE_MS } from './upstream-session.js';

export interface RelayDeps {
  db: Database;
  /** Of egress. */
  fetch: EgressFetch;
  /** Opens what upstreams are sent. */
  box: SecretBox;
}

/** Serves the registered servers of a project: as they are, without the tools that are not on offer. */
export function createRelay({ db, ...deps }: RelayDeps) {
  const inspect = createInspector(deps);
  const guard = createToolGuard(db, inspect);
  const breakerOf = createBreakers('mcp');
  const callUpstream = createUpstreamCaller({ ...deps, breakerOf });
  const own = createUpstreamSessions(callUpstream);
  const sessions = createSessionStore(db);
  const translated = createTranslatedSessionStore(db);
  const legacyToModern = createLegacyToModern({ callUpstream, guard, sessions, translated });
  const modernToLegacy = createModernToLegacy({ callUpstream, own, shared: createSharedSessionStore(db) });
  const serveLegacy = createLegacyRelay(callUpstream, own, sessions);

  async function serveModern(server: RelayedServer, call: McpCall): Promise<Response> {
    const { message, headers, body, signal } = call;
    requireMirroredHeaders(call);
    const id = message?.kind === 'request' ? message.id : null;
    const isStream = message?.kind === 'request' && message.method === 'subscriptions/listen';
    const silenceMs = isStream ? STREAM_SILENCE_MS : CALL_SILENCE_MS;
    const passed = { ...headers, accept: 'application/json, text/event-stream' };
    const offered = await guard.offered(server);
    const answer = await callUpstream(server, { method: 'POST', headers: passed, body, id, signal, silenceMs });
    return relayedAnswer({ answer, id, offered });
  }

  async function serve(server: RelayedServer, call: McpCall): Promise<Response> {
    const { message } = call;
    const id = message?.kind === 'request' ? message.id : null;
    if (message?.kind === 'notification' && message.method === 'tools/call')
      throw new JsonRpcRefusal(400, INVALID_REQUEST, 'Invalid request: a call needs an id');
    if (server.status !== 'active') throw unavailable(id);
    try {
      const legacy = await isLegacyClient(call);
      const seen = await inspect.eraOf(server);
      const isTranslated = !legacy && seen.era === 'legacy';
      if (isTranslated) requireMirroredHeaders(call);
      const refused = isTranslated ? unsupportedVersion(call) : undefined;
      if (refused) return refused;
      if (message?.kind === 'request' && message.method === 'tools/call')
        await guard.admitCall(server, call, message.id, message.params['name']);
      if (!legacy && seen.era === 'modern') return await serveModern(server, call);
      const offered = await guard.offered(server);
      if (!legacy) return await modernToLegacy({ server, call, seen, offered });
      if (seen.era === 'modern') return await legacyToModern({ server, call, seen, offered });
      return await serveLegacy({ server, call, id, sessions: seen.sessions, offered });
    } catch (error) {
      // What a look at the server threw, which says no more than that it cannot be had.
      throw error instanceof JsonRpcRefusal || error instanceof AppError ? error : unavailable(id, error);
    }
  }

  return async (project: Project, slug: string): Promise<McpTarget | undefined> => {
    const server = await findRelayedServer(db, project, slug);
    return server && { scopesOf: () => [], serve: (call) => serve(server, call) };
  };
}
