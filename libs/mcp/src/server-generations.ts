import type { Database } from '@millwright/db';
import { LRUCache } from 'lru-cache';
import { findGenerations, isRefusal, type Generation } from './generations.js';
import type { ServerAnswer, ServerConnections } from './server-connections.js';
import { PROBE_LIMITS, type ProbedServer } from './server-probes.js';

/** A server with the generations that its last probe found. The list is empty before the first probe. */
export type SpokenServer = ProbedServer & { generations: readonly Generation[] };

/**
 * Minimum interval between two checks of a server, in milliseconds. It applies even when many answers of the server
 * indicate another generation.
 */
const CHECKED_MS = 10_000;
const MOST_KEPT = 1_000;
/** Statuses with which a server of another generation refuses a posted message (2026-07-28, "Backward compatibility"). */
const REFUSALS = new Set([400, 404, 405, 406, 426]);

/** Error for a server whose generations differ from the stored generations. No part of the request was carried out. */
class ServerMoved extends Error {
  override name = 'ServerMoved';
  readonly generations: readonly Generation[];

  constructor(generations: readonly Generation[]) {
    super('The MCP server speaks other versions of MCP than before.');
    this.generations = generations;
  }
}

const isSame = (a: readonly Generation[], b: readonly Generation[]) => String(a) === String(b);

/** The generations of servers, found by probes and checked again when a server's answer indicates a change. */
export function createServerGenerations(db: Database, connections: ServerConnections) {
  const checked = new LRUCache<string, { at: number; found: Promise<Generation[]> }>({ max: MOST_KEPT });

  async function store({ id, url }: ProbedServer, found: readonly Generation[]): Promise<void> {
    await db.prepared(
      'store-mcp-generations',
      'UPDATE mcp_servers SET generations = $3 WHERE id = $1 AND url = $2 AND generations <> $3',
      [id, url, found],
    );
  }

  async function find(server: SpokenServer): Promise<Generation[]> {
    // A failure that concerns the account of one user does not count against the server.
    const options = { limits: PROBE_LIMITS, countsFailures: server.userId === undefined };
    const found = await connections.withClient(server, options, (client) =>
      findGenerations(client, server.generations, (limits) =>
        connections.withClient(server, { limits, generation: 'v2025', countsFailures: false }, () => Promise.resolve()),
      ),
    );
    await store(server, found);
    return found;
  }

  /**
   * Probes the server again, at most once in ten seconds.
   *
   * @throws EgressError and the errors of SDK clients, for a server that cannot be probed
   */
  function check(server: SpokenServer): Promise<Generation[]> {
    const { id, url, userId } = server;
    const key = JSON.stringify([id, url, userId]);
    const last = checked.get(key);
    if (last && last.at > performance.now() - CHECKED_MS) return last.found;
    const entry = { at: performance.now(), found: find(server) };
    checked.set(key, entry);
    entry.found.catch(() => checked.get(key) === entry && checked.delete(key));
    return entry.found;
  }

  /** Returns the generations of a server. @throws the errors of `check`, for a server that no probe has reached yet */
  const of = async (server: SpokenServer): Promise<readonly Generation[]> =>
    server.generations.length > 0 ? server.generations : check(server);

  /** @throws ServerMoved when a probe finds other generations. A failed probe is ignored, because it does not show other generations. */
  async function requireSame(server: SpokenServer): Promise<void> {
    const found = await check(server).catch(() => server.generations);
    if (!isSame(found, server.generations)) throw new ServerMoved(found);
  }

  return {
    of,
    requireSame,

    /**
     * Sends a request. When the status of the answer is typical of a server of another generation, the server is probed
     * again.
     *
     * @throws ServerMoved when the probe finds other generations
     */
    async send(...[server, request]: Parameters<ServerConnections['send']>): Promise<ServerAnswer> {
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
    },

    /**
     * Runs the work with the current generations of the server. When the server refuses the work and a new probe finds
     * other generations, the work is run once more with these.
     */
    async follow<Holder extends { server: SpokenServer }, Result>(
      holder: Holder,
      work: (current: Holder) => Promise<Result>,
    ): Promise<Result> {
      const by = (generations: readonly Generation[]) => work({ ...holder, server: { ...holder.server, generations } });
      const known = await of(holder.server);
      try {
        return await by(known).catch(async (error: unknown) => {
          if (isRefusal(error)) await requireSame({ ...holder.server, generations: known });
          throw error;
        });
      } catch (error) {
        if (error instanceof ServerMoved) return by(error.generations);
        throw error;
      }
    },
  };
}
export type ServerGenerations = ReturnType<typeof createServerGenerations>;
