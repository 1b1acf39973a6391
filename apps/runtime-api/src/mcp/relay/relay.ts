import { recordAction } from '@millwright/audit';
import { callerOf, type Principal } from '@millwright/auth';
import { allowsTool } from '@millwright/auth/tool-lists';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import {
  asUser,
  createSharedSessionStore,
  findApprovedSchema,
  notConnectedIn,
  readEntry,
  ServerNotCalled,
  type AvailableTools,
  type McpServers,
  type RegisteredServer,
  type ServerConnections,
} from '@millwright/mcp';
import { createServerSessions } from '@millwright/mcp/server-sessions';
import { MessageRefused } from '@millwright/mcp/messages';
import { createOwnerCounts } from '@millwright/rate-limit';
import { connectUrlOf } from '../../connections/connect-url.js';
import {
  INVALID_REQUEST,
  JsonRpcRefusal,
  NOT_CONNECTED,
  refusalOf,
  textOf,
  unavailable,
  unknownTool,
  type McpRequest,
  type RequestId,
} from '@millwright/mcp/json-rpc';
import { isStream, type McpAnswer, type McpCall, type McpTarget } from '../endpoint/mcp-call.js';
import { createKeyedCalls } from './keyed-call.js';
import {
  generationFor,
  isRelayed,
  isV2026Client,
  relayedScopesOf,
  requestIdIn,
  requireMirroredHeaders,
  unsupportedVersion,
  type RelayedCall,
} from './relayed-call.js';
import { paramHeaders } from '../endpoint/v2026-terms.js';
import { canAsk, canAskByResult, createAskByResult, createAskFirst, requireAllowed } from './tool-rules.js';
import { createRelayUnchanged } from './same-version/relay-unchanged.js';
import {
  createWaitingCallStore,
  parseState,
  createClientSessionStore,
  type ServerInSession,
  type SessionChanges,
} from '@millwright/mcp/client-sessions';
import { createV2025ToV2026 } from './v2025-to-v2026/translate-request.js';
import { createV2026ToV2025 } from './v2026-to-v2025/translate-request.js';

export interface RelayDeps {
  db: Database;
  servers: McpServers;
  /** Base address of the pages on which users connect their accounts. */
  runtimeUrl: string;
  /** Waits for changes that other processes make to sessions. */
  sessionChanges: Pick<SessionChanges, 'until'>;
  /** The signal aborts when the process stops. */
  draining?: AbortSignal | undefined;
}

/** Limit of the streams that one user may have open to one server in this process. Each program of the user needs one stream. */
const MOST_STREAMS = 16;

/** The methods with which a client reads an item for its model. Each method has the parameter that names the item. */
const READ_BY: Readonly<Record<string, { kind: 'prompt' | 'resource'; member: string }>> = {
  'prompts/get': { kind: 'prompt', member: 'name' },
  'resources/read': { kind: 'resource', member: 'uri' },
};

/** Relays messages between clients and the registered servers of their project. Answers contain no tools that the client may not use. */
export function createRelay({ db, servers, runtimeUrl, sessionChanges, draining }: RelayDeps) {
  const { probes, approval, generations } = servers;
  const connections: Pick<ServerConnections, 'send'> = generations;
  const sessions = createClientSessionStore(db);
  const serverSessions = createServerSessions(connections);
  const sameVersion = createRelayUnchanged({ connections, probes, serverSessions, sessions });
  const v2025ToV2026 = createV2025ToV2026({ db, connections, sessions, sessionChanges });
  const askFirst = createAskFirst(db, sessions, sessionChanges);
  const streams = createOwnerCounts(MOST_STREAMS);
  const keyedCall = createKeyedCalls(db);
  const waiting = createWaitingCallStore(db);
  const askByResult = createAskByResult(db, waiting);
  const v2026ToV2025 = createV2026ToV2025({
    db,
    connections,
    serverSessions,
    shared: createSharedSessionStore(db),
    waiting,
    sessionChanges,
    draining,
  });

  /** The first steps of a request, for which the server's generations are not needed. */
  async function relay(registered: ServerInSession, call: McpCall, isDecided = false): Promise<McpAnswer> {
    const { server, session } = registered;
    const { message } = call;
    if (message?.kind === 'notification' && message.method === 'tools/call')
      throw new JsonRpcRefusal(400, INVALID_REQUEST, 'Invalid request: a call needs an id');
    if (server.status !== 'active')
      throw unavailable(requestIdIn(call), new ServerNotCalled('The MCP server is not active.'));
    await servers.connections.requireConnected(server);
    if (session) await sessions.noteUse(session);
    return generations.follow(registered, (current) => relayTo(current, call, isDecided));
  }

  /** The steps of a request that depend on the server's generations. `isDecided`: whether a person has already approved the call. */
  async function relayTo(registered: ServerInSession, call: McpCall, isDecided: boolean): Promise<McpAnswer> {
    const { server, available, session } = registered;
    const { message } = call;
    const fromV2026 = isV2026Client(call);
    const generation = generationFor(registered, call, fromV2026);
    const isTranslated = generation !== (fromV2026 ? 'v2026' : 'v2025');
    if (fromV2026 && isTranslated) requireMirroredHeaders(call);
    const refused = fromV2026 && isTranslated ? unsupportedVersion(call) : undefined;
    if (refused) return refused;
    if (!isRelayed(call, fromV2026)) return { status: 202 };
    // The relay answers `initialize` from the last probe, without a request to the server. The whole session uses this answer, so the
    // server must still have the generations that the probe found.
    if (isTranslated && message?.kind === 'request' && message.method === 'initialize')
      await generations.requireSame(server);
    if (message?.kind === 'request' && message.method === 'tools/call') {
      const caller = callerOf(call.principal, call.from);
      const tool = textOf(message.params['name']);
      const asks = fromV2026 ? canAskByResult(message) : canAsk(call, session);
      const goesOn = isDecided || (fromV2026 && isTranslated && (await isHeld(server, call, message)));
      // After a decision, this reads the rule again, because the rule may have changed while the user decided. `admitCall` below refuses a
      // tool whose definition has changed.
      const isAsked = await requireAllowed(db, caller, server, tool, message.id, goesOn || asks);
      if (isAsked && !goesOn) {
        const asked = { server, call, request: message, tool };
        const proceed = (approved: McpCall) => relay(registered, approved, true);
        if (fromV2026) return askByResult(asked, proceed);
        if (session) return askFirst({ ...asked, session }, () => proceed(call));
      }
      if (!(await approval.admitCall(caller, server, generation, available, tool))) throw unknownTool(message);
    }
    // The relay itself stores a response to an approval form of this installation. Responses to the server's own input requests are sent to
    // the server.
    if (message?.kind === 'response' && session && !isTranslated && (await sessions.keepResponse(session.id, message)))
      return { status: 202 };
    const read = message?.kind === 'request' ? READ_BY[message.method] : undefined;
    if (read && message?.kind === 'request') {
      const audited = { label: server.name, resource: encodeId('ms', server.id) };
      await recordAction(
        db,
        readEntry(callerOf(call.principal, call.from), audited, read, message.params[read.member]),
      );
    }
    call.onSend?.();
    const held = servers.openHeldBytes(call.principal.user.id);
    call.over.addEventListener('abort', held.free, { once: true });
    const relayed = { server, available, session, call, held };
    if (isTranslated) {
      const translated = { ...relayed, probe: await probes.recent(server, generation) };
      return fromV2026 ? v2026ToV2025(translated) : v2025ToV2026(translated);
    }
    if (!fromV2026) return sameVersion.relayV2025(relayed);
    requireMirroredHeaders(call);
    return sameVersion.relayV2026(call.isToolSearch ? await withParamHeaders(relayed) : relayed);
  }

  /** Adds the headers that repeat the call's arguments. */
  async function withParamHeaders(relayed: RelayedCall): Promise<RelayedCall> {
    const { server, call } = relayed;
    if (call.message?.kind !== 'request' || call.message.method !== 'tools/call') return relayed;
    const { name, arguments: args } = call.message.params;
    const added = paramHeaders(await findApprovedSchema(db, server.id, textOf(name)), args);
    return { ...relayed, call: { ...call, headers: { ...call.headers, ...added } } };
  }

  /** Whether the request continues a call that is still open at the server. */
  async function isHeld({ id }: RegisteredServer, { principal }: McpCall, request: McpRequest): Promise<boolean> {
    const state = parseState(request.params['requestState']);
    return state !== undefined && waiting.isHeld(state, { userId: principal.user.id, serverId: id, request });
  }

  const notConnected = ({ id, name }: RegisteredServer, request: RequestId | null) => {
    const url = connectUrlOf(runtimeUrl, encodeId('ms', id));
    const message = `Connect your account to the MCP server ${name} in a browser, then try again: ${url}`;
    return new JsonRpcRefusal(request === null ? 403 : 200, NOT_CONNECTED, message, request, { data: { url } });
  };

  /**
   * Counts a user's stream. Streams are not counted in the limit of connections to a server, so they never delay calls.
   * @throws AppError rate_limited when the user has the maximum number of streams to the server
   */
  function countStream({ server }: ServerInSession, { principal, over }: McpCall): void {
    const end = streams.begin(`${principal.user.id} ${server.id}`);
    if (!end) throw new AppError('rate_limited', { retryAfter: 10 });
    over.addEventListener('abort', end, { once: true });
  }

  async function serve(registered: ServerInSession, call: McpCall): Promise<McpAnswer> {
    try {
      if (isStream(call)) countStream(registered, call);
      const { message } = call;
      if (message?.kind !== 'request' || message.method !== 'tools/call') return await relay(registered, call);
      return await keyedCall(registered.server, call, message, (watched) => relay(registered, watched));
    } catch (error) {
      const id = requestIdIn(call);
      if (notConnectedIn(error)) throw notConnected(registered.server, id);
      if (error instanceof JsonRpcRefusal || error instanceof AppError) throw error;
      throw error instanceof MessageRefused ? refusalOf(error, id) : unavailable(id, error);
    }
  }

  return ({ server, available, session }: ServerInSession): McpTarget => ({
    scopesOf: relayedScopesOf,
    serve: (call) =>
      serve(
        { server: asUser(server, call.principal), available: allowedTo(call.principal, server, available), session },
        call,
      ),
  });
}

const allowedTo = ({ mcpTools }: Principal, { slug }: RegisteredServer, available: AvailableTools): AvailableTools =>
  new Map([...available].filter(([name]) => allowsTool([mcpTools], slug, name)));
