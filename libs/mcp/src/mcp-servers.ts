import { MESSAGE_MAX_BYTES } from './event-stream.js';
import { createHeldBytes } from './held-bytes.js';
import { createServerConnections, type ServerConnectionDeps } from './server-connections.js';
import { createServerGenerations } from './server-generations.js';
import { createServerProbes } from './server-probes.js';
import { createToolApproval } from './tool-approval.js';

/** Number of messages of maximum size that fit into memory at the same time. */
const HELD = { perUser: 4, total: 16 };
/** Bytes per second of servers' messages that the calls of one user receive. A core receives about ten times as many. */
const RECEIVED_PER_S = 8 * 1_048_576;

/**
 * Creates the state of a process about registered servers: their connections and breakers, their probes and
 * generations, and the approval of their tools.
 */
export function createMcpServers(deps: ServerConnectionDeps) {
  const { maxMessageBytes: maxBytes = MESSAGE_MAX_BYTES } = deps;
  const connections = createServerConnections(deps);
  const openHeldBytes = createHeldBytes({
    perUser: HELD.perUser * maxBytes,
    total: HELD.total * maxBytes,
    perUserPerS: RECEIVED_PER_S,
    burst: maxBytes,
  });
  const probes = createServerProbes(connections);
  const generations = createServerGenerations(deps.db, connections);
  const approval = createToolApproval(deps.db, probes);
  return { db: deps.db, connections, openHeldBytes, probes, generations, approval };
}
export type McpServers = ReturnType<typeof createMcpServers>;
