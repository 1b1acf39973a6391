import type { Client, Implementation, ServerCapabilities } from '@modelcontextprotocol/client';
import { LRUCache } from 'lru-cache';
import type { McpLimits } from './sdk-client.js';
import type { ServerConnections } from './server-connections.js';
import type { RegisteredServer } from './servers.store.js';
import { hashTool, readTools } from './tool-list.js';

/** The part of a server that a probe needs. */
export type ProbedServer = Pick<RegisteredServer, 'id' | 'project' | 'name' | 'url' | 'headers' | 'auth' | 'userId'>;

/** The answer of a server to a probe. */
export interface ServerProbe {
  /** Whether it speaks 2026-07-28, rather than 2025-11-25 or earlier. */
  speaksV2026: boolean;
  capabilities: ServerCapabilities;
  info: Implementation;
  instructions: string | undefined;
  /** Whether it gives its clients sessions. */
  sessions: boolean;
  /** Name → hash of the description, in hex. */
  tools: ReadonlyMap<string, string>;
}

const LIMITS: McpLimits = { timeoutMs: 15_000, maxBytes: 1024 * 1024 };
/** Milliseconds for which the tools of a probe count as current. */
const TOOLS_MS = 30_000;
/** Milliseconds for which a server counts as one of its protocol version (2026-07-28, "Backward compatibility"). */
const VERSION_MS = 24 * 3_600_000;
/** After this long, a call makes the next probe. */
const RENEWED_MS = 300_000;
const MOST_KEPT = 1_000;

/** Probes servers as their client and keeps the answers in this process. Requests at the same time share one probe. */
export function createServerProbes(connections: ServerConnections) {
  const kept = new LRUCache<string, { at: number; probe: Promise<ServerProbe> }>({ max: MOST_KEPT });
  const renewing = new Set<string>();

  function keep(key: string, probe: Promise<ServerProbe>): Promise<ServerProbe> {
    const entry = { at: performance.now(), probe };
    kept.set(key, entry);
    probe.catch(() => kept.get(key) === entry && kept.delete(key));
    return probe;
  }

  function keptWithin(milliseconds: number, server: ProbedServer): Promise<ServerProbe> | undefined {
    const known = kept.get(keyOf(server));
    return known && known.at > performance.now() - milliseconds ? known.probe : undefined;
  }

  function probeNow(server: ProbedServer): Promise<ServerProbe> {
    // A failure with one user's account is no evidence about the server.
    const options = { limits: LIMITS, countsFailures: server.userId === undefined };
    return connections.withClient(server, options, (client, signal) => read(server, client, signal));
  }

  function within(milliseconds: number, server: ProbedServer): Promise<ServerProbe> {
    return keptWithin(milliseconds, server) ?? keep(keyOf(server), probeNow(server));
  }

  /** Probes again while calls go on with the last probe, which stays where this one fails. */
  function renew(server: ProbedServer): void {
    const key = keyOf(server);
    if (renewing.has(key)) return;
    renewing.add(key);
    probeNow(server)
      .then((probe) => keep(key, Promise.resolve(probe)))
      .catch(() => undefined)
      .finally(() => renewing.delete(key));
  }

  return {
    /**
     * Returns a probe that is at most 30 seconds old.
     *
     * @throws EgressError and what SDK clients throw, for a server that cannot be probed
     */
    fresh: (server: ProbedServer) => within(TOOLS_MS, server),

    /**
     * Returns a probe that is at most a day old, for facts that rarely change. One that is older than five minutes is renewed for the
     * next call, so that a server that moves to another version is soon called in it.
     *
     * @throws as `fresh`
     */
    recent: (server: ProbedServer): Promise<ServerProbe> => {
      const known = keptWithin(VERSION_MS, server);
      if (known && !keptWithin(RENEWED_MS, server)) renew(server);
      return known ?? within(VERSION_MS, server);
    },

    /** The last probe, if it is at most 30 seconds old. */
    kept: async (server: ProbedServer): Promise<ServerProbe | undefined> =>
      keptWithin(TOOLS_MS, server)?.catch(() => undefined),

    /** Probes over a connection that is open already. */
    async probeWith(server: ProbedServer, client: Client, signal: AbortSignal): Promise<ServerProbe> {
      const probe = await read(server, client, signal);
      return keep(keyOf(server), Promise.resolve(probe));
    },
  };
}
export type ServerProbes = ReturnType<typeof createServerProbes>;

/** Another address, credential or user may lead to another server. */
const keyOf = ({ id, url, headers, auth, userId }: ProbedServer) => JSON.stringify([id, url, headers, auth, userId]);

async function read({ name }: ProbedServer, client: Client, signal: AbortSignal): Promise<ServerProbe> {
  const tools = await readTools(client, signal);
  return {
    speaksV2026: client.getProtocolEra() === 'modern',
    capabilities: client.getServerCapabilities() ?? {},
    info: client.getServerVersion() ?? { name, version: '' },
    instructions: client.getInstructions(),
    sessions: client.transport?.sessionId !== undefined,
    tools: new Map(tools.map((tool) => [tool.name, hashTool(tool).toString('hex')])),
  };
}
