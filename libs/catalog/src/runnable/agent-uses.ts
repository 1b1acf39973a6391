import { decodeId, type IdPrefix } from '@millwright/db';
import type { Agent } from '../agents/agents.schema.js';
import type { AgentUses } from './runnable-agents.store.js';

const uuidsOf = (prefix: IdPrefix, ids: readonly string[]) => ids.flatMap((id) => decodeId(prefix, id) ?? []);

/** Converts ids of the API to UUIDs of records. Use it for an unsaved or deleted agent, which has no rows in the tables of links. */
export const usesOf = ({
  plugin_ids,
  mcp_server_ids,
  agent_ids,
}: Pick<Agent, 'plugin_ids' | 'mcp_server_ids' | 'agent_ids'>): AgentUses => ({
  plugins: uuidsOf('pl', plugin_ids),
  servers: uuidsOf('ms', mcp_server_ids),
  callees: uuidsOf('ag', agent_ids),
});
