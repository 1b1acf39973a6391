import { hashTool, readTools, withMcpClient, type McpLimits, type UpstreamFetch } from '@millwright/catalog';
import type { Breaker } from '@millwright/egress';
import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/client';
import type { RelayedServer } from './relayed-server.js';

/** What a look at a server showed. */
export interface Seen {
  era: 'legacy' | 'modern';
  capabilities: ServerCapabilities;
  info: Implementation;
  instructions: string | undefined;
  /** Whether it gives its clients sessions. */
  sessions: boolean;
  /** Name → hash of its description, in hex. */
  tools: ReadonlyMap<string, string>;
}

const LIMITS: McpLimits = { timeoutMs: 15_000, maxBytes: 1024 * 1024 };
/** How long a tool that was seen to be as approved counts as such. */
const TOOLS_MS = 30_000;
/** How long the verdict about an era stands (2026-07-28, "Backward compatibility"). */
const ERA_MS = 24 * 3_600_000;
const MOST_KEPT = 1_000;

/** Looks at servers as their client, at most once for all who want to know at the same time. What is kept is this process's own. */
export function createInspector(upstreamFetch: UpstreamFetch, breakerOf: (serverId: string) => Breaker) {
  const kept = new Map<string, { at: number; seen: Promise<Seen> }>();

  async function look(server: RelayedServer): Promise<Seen> {
    const pass = breakerOf(server.id).admit();
    if (!pass) throw new Error('The MCP server is left alone for a while.');
    try {
      const seen = await read(server);
      pass.succeeded();
      return seen;
    } catch (error) {
      // What one user's account is refused says nothing of the server.
      if (server.userId === undefined) pass.failed();
      else pass.abandoned();
      throw error;
    }
  }

  function read(server: RelayedServer): Promise<Seen> {
    return withMcpClient(
      upstreamFetch(server, server.userId),
      server.url,
      LIMITS,
      undefined,
      async (client, signal) => {
        const tools = await readTools(client, signal);
        return {
          era: client.getProtocolEra() === 'modern' ? 'modern' : 'legacy',
          capabilities: client.getServerCapabilities() ?? {},
          info: client.getServerVersion() ?? { name: server.name, version: '' },
          instructions: client.getInstructions(),
          sessions: client.transport?.sessionId !== undefined,
          tools: new Map(tools.map((tool) => [tool.name, hashTool(tool).toString('hex')])),
        };
      },
    );
  }

  function within(milliseconds: number, server: RelayedServer): Promise<Seen> {
    // Another address or credential may lead to another server.
    const key = JSON.stringify([server.id, server.url, server.headers, server.auth, server.userId]);
    const known = kept.get(key);
    if (known && known.at > performance.now() - milliseconds) return known.seen;
    const entry = { at: performance.now(), seen: look(server) };
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    entry.seen.catch(() => kept.get(key) === entry && kept.delete(key));
    return entry.seen;
  }

  return {
    /** @throws EgressError and what SDK clients throw, for a server that cannot be looked at */
    now: (server: RelayedServer) => within(TOOLS_MS, server),
    eraOf: (server: RelayedServer) => within(ERA_MS, server),
  };
}
export type Inspector = ReturnType<typeof createInspector>;
