import type { Database } from '@millwright/db';
import { LRUCache } from 'lru-cache';
import { findGenerations, type Generation } from './generations.js';
import type { ServerConnections } from './server-connections.js';
import { PROBE_LIMITS, type ProbedServer } from './server-probes.js';

/** A server with its generations at the last probe; none before the first probe. */
export type SpokenServer = ProbedServer & { generations: readonly Generation[] };

/** Minimum interval between checks of a server, in milliseconds, for any number of answers that look like another generation's. */
const CHECKED_MS = 10_000;
const MOST_KEPT = 1_000;

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
    // A failure with one user's account is no evidence about the server.
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

  return {
    check,

    /** @throws the errors of `check`, for a server that no probe has reached yet */
    of: async (server: SpokenServer): Promise<readonly Generation[]> =>
      server.generations.length > 0 ? server.generations : check(server),
  };
}
export type ServerGenerations = ReturnType<typeof createServerGenerations>;
