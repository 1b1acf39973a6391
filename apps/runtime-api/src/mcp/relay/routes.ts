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

/** Statuses with which a server of another generation refuses a posted message (2026-07-28, "Backward compatibility"). */
const REFUSALS = new Set([400, 404, 405, 406, 426]);

/** The server's generations differ from the stored ones. No part of the request was carried out. */
class ServerMoved extends Error {
  override name = 'ServerMoved';
  readonly generations: readonly Generation[];

  constructor(generations: readonly Generation[]) {
    super('The MCP server speaks other versions of MCP than before.');
    this.generations = generations;
  }
}

/**
 * The generation in which a request is sent to its server: the client's own if the server supports it. A 2025-11-25 session keeps
 * the generation in which it was opened.
 *
 * @throws JsonRpcRefusal for a session that the server cannot continue, so that the client opens another session
 */
export function generationFor({ server, session }: ServerInSession, call: McpCall, fromV2026: boolean): Generation {
  const { generations } = server;
  if (fromV2026) return generations.includes('v2026') ? 'v2026' : 'v2025';
  if (!session) return generations.includes('v2025') ? 'v2025' : 'v2026';
  const opened = session.upstreamId === null ? 'v2026' : 'v2025';
  if (generations.includes(opened)) return opened;
  throw new JsonRpcRefusal(404, SESSION_NOT_FOUND, 'Session not found', requestIdIn(call));
}

/** Routes requests by the generations of their servers, and routes once more when a server has changed its generations. */
export function createRoutes({ connections, generations }: Pick<McpServers, 'connections' | 'generations'>) {
  const isSame = (a: readonly Generation[], b: readonly Generation[]) => String(a) === String(b);

  /** @throws ServerMoved when a probe finds other generations; other probe failures are ignored, as they prove nothing */
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

  /** Runs the work with a server's current generations; repeats it once when the server refuses because they changed. */
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
