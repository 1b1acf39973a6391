import {
  isRefusal,
  type Generation,
  type McpServers,
  type RegisteredServer,
  type ServerAnswer,
  type ServerConnections,
} from '@millwright/mcp';
import { JsonRpcRefusal, SESSION_NOT_FOUND } from '../endpoint/json-rpc.js';
import type { McpCall } from '../endpoint/mcp-call.js';
import type { ServerInSession } from '../sessions/client-sessions.store.js';
import { requestIdIn } from './relayed-call.js';

/** Statuses by which a server of another generation refuses a posted message (2026-07-28, "Backward compatibility"). */
const REFUSALS = new Set([400, 404, 405, 406, 426]);

/** The server does not speak the generations that it was known for. Nothing of the request was carried out. */
class ServerMoved extends Error {
  override name = 'ServerMoved';
  readonly generations: readonly Generation[];

  constructor(generations: readonly Generation[]) {
    super('The MCP server speaks other versions of MCP than before.');
    this.generations = generations;
  }
}

/**
 * The generation in which a request goes to its server: the client's own where the server has it. A session of 2025-11-25 stays in
 * the one that it was opened in.
 *
 * @throws JsonRpcRefusal for a session that the server cannot go on with, so that its client opens another
 */
export function generationFor({ server, session }: ServerInSession, call: McpCall, fromV2026: boolean): Generation {
  const { generations } = server;
  if (fromV2026) return generations.includes('v2026') ? 'v2026' : 'v2025';
  if (!session) return generations.includes('v2025') ? 'v2025' : 'v2026';
  const opened = session.upstreamId === null ? 'v2026' : 'v2025';
  if (generations.includes(opened)) return opened;
  throw new JsonRpcRefusal(404, SESSION_NOT_FOUND, 'Session not found', requestIdIn(call));
}

/** Chooses requests' ways by the generations of their servers, and once more when a server turns out to have changed them. */
export function createRoutes({ connections, generations }: Pick<McpServers, 'connections' | 'generations'>) {
  const isSame = (a: readonly Generation[], b: readonly Generation[]) => String(a) === String(b);

  /** @throws ServerMoved when a probe finds other generations; other failures of the probe are no evidence */
  async function requireSame(server: RegisteredServer): Promise<void> {
    const found = await generations.check(server).catch(() => server.generations);
    if (!isSame(found, server.generations)) throw new ServerMoved(found);
  }

  async function send(...[server, request]: Parameters<ServerConnections['send']>): Promise<ServerAnswer> {
    const answer = await connections.send(server, request);
    if (request.method !== 'POST' || !REFUSALS.has(answer.response.status)) return answer;
    try {
      await requireSame(server);
      return answer;
    } catch (error) {
      answer.ended();
      await answer.cancel();
      throw error;
    }
  }

  /** The work with a server's present generations; once more when the server refuses it because it has others by now. */
  async function follow<Result>(
    registered: ServerInSession,
    work: (registered: ServerInSession) => Promise<Result>,
  ): Promise<Result> {
    const by = (found: readonly Generation[]) =>
      work({ ...registered, server: { ...registered.server, generations: found } });
    const known = await generations.of(registered.server);
    try {
      return await by(known).catch(async (error: unknown) => {
        if (isRefusal(error)) await requireSame({ ...registered.server, generations: known });
        throw error;
      });
    } catch (error) {
      if (error instanceof ServerMoved) return by(error.generations);
      throw error;
    }
  }

  return { connections: { send }, requireSame, follow };
}
