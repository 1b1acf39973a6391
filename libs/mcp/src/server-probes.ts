import type { Client, Implementation, ServerCapabilities } from '@modelcontextprotocol/client';
import { LRUCache } from 'lru-cache';
import { generationOf, type Generation } from './generations.js';
import type { McpLimits } from './sdk-client.js';
import type { ServerConnections } from './server-connections.js';
import type { RegisteredServer } from './servers.store.js';
import { hashTool, readTools } from './tool-list.js';

/** The part of a server that a probe needs. */
export type ProbedServer = Pick<RegisteredServer, 'id' | 'project' | 'name' | 'url' | 'headers' | 'auth' | 'userId'>;

/** The answer of a server to a probe in one of its generations. */
export interface ServerProbe {
  capabilities: ServerCapabilities;
  info: Implementation;
  instructions: string | undefined;
  /** Whether the server opens sessions for clients of 2025-11-25. */
  sessions: boolean;
  /** Hash of each tool's description, in hexadecimal. */
  tools: ReadonlyMap<string, string>;
}

export const PROBE_LIMITS: McpLimits = { timeoutMs: 15_000, maxBytes: 1024 * 1024 };
/** Time for which a probe's tools are treated as current, in milliseconds. */
const TOOLS_MS = 30_000;
/** Time for which a server's capabilities and name are treated as current, in milliseconds. */
const FACTS_MS = 24 * 3_600_000;
/** Age of a probe, in milliseconds, after which a call triggers the next probe. */
const RENEWED_MS = 300_000;
const MOST_KEPT = 1_000;

/** Probes servers as their client and caches the answers in this process. Concurrent requests share one probe. */
export function createServerProbes(connections: ServerConnections) {
  const kept = new LRUCache<string, { at: number; probe: Promise<ServerProbe> }>({ max: MOST_KEPT });
  const renewing = new Set<string>();

  function keep(key: string, probe: Promise<ServerProbe>): Promise<ServerProbe> {
    const entry = { at: performance.now(), probe };
    kept.set(key, entry);
    probe.catch(() => kept.get(key) === entry && kept.delete(key));
    return probe;
  }

  function keptWithin(milliseconds: number, key: string): Promise<ServerProbe> | undefined {
    const known = kept.get(key);
    return known && known.at > performance.now() - milliseconds ? known.probe : undefined;
  }

  function probeNow(server: ProbedServer, generation: Generation): Promise<ServerProbe> {
    // A failure that concerns the account of one user does not count against the server.
    const options = { limits: PROBE_LIMITS, generation, countsFailures: server.userId === undefined };
    return connections.withClient(server, options, (client, signal) => read(server, client, signal));
  }

  /** Probes in the background while calls use the last probe. When the new probe fails, the last probe stays in use. */
  function renew(server: ProbedServer, generation: Generation, key: string): void {
    if (renewing.has(key)) return;
    renewing.add(key);
    probeNow(server, generation)
      .then((probe) => keep(key, Promise.resolve(probe)))
      .catch(() => undefined)
      .finally(() => renewing.delete(key));
  }

  return {
    /**
     * Returns a probe that is at most 30 seconds old.
     *
     * @throws EgressError and the errors of SDK clients, for a server that cannot be probed
     */
    fresh(server: ProbedServer, generation: Generation): Promise<ServerProbe> {
      const key = keyOf(server, generation);
      return keptWithin(TOOLS_MS, key) ?? keep(key, probeNow(server, generation));
    },

    /**
     * Returns a probe that is at most a day old, for facts that rarely change. When the probe is older than five
     * minutes, the server is probed again in the background for the next call.
     *
     * @throws the errors of `fresh`
     */
    async recent(server: ProbedServer, generation: Generation): Promise<ServerProbe> {
      const key = keyOf(server, generation);
      const known = keptWithin(FACTS_MS, key);
      if (known && !keptWithin(RENEWED_MS, key)) renew(server, generation, key);
      return known ?? keep(key, probeNow(server, generation));
    },

    /** Returns the last probe, if it is at most 30 seconds old. Never starts a probe. */
    kept: async (server: ProbedServer, generation: Generation): Promise<ServerProbe | undefined> =>
      keptWithin(TOOLS_MS, keyOf(server, generation))?.catch(() => undefined),

    /** Probes the server over an open connection. */
    async probeWith(server: ProbedServer, client: Client, signal: AbortSignal): Promise<ServerProbe> {
      const probe = await read(server, client, signal);
      return keep(keyOf(server, generationOf(client)), Promise.resolve(probe));
    },
  };
}
export type ServerProbes = ReturnType<typeof createServerProbes>;

/**
 * Key of a cached probe. It includes the address, the credential and the user, because another value of these may lead
 * to another server. It includes the generation, because a server may describe its tools differently in each
 * generation.
 */
const keyOf = ({ id, url, headers, auth, userId }: ProbedServer, generation: Generation) =>
  JSON.stringify([id, url, headers, auth, userId, generation]);

async function read({ name }: ProbedServer, client: Client, signal: AbortSignal): Promise<ServerProbe> {
  const tools = await readTools(client, signal);
  return {
    capabilities: client.getServerCapabilities() ?? {},
    info: client.getServerVersion() ?? { name, version: '' },
    instructions: client.getInstructions(),
    sessions: client.transport?.sessionId !== undefined,
    tools: new Map(tools.map((tool) => [tool.name, hashTool(tool).toString('hex')])),
  };
}
