import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { BUILT_IN_AGENT } from '../agents/built-in-agent.js';
import { selectPlugins, type RunnablePlugin } from '../plugins/agent-plugins.store.js';
import { linked, named } from './links.js';
import { selectCallees, type CallableAgent, type RunnableAgent } from './runnable-agents.store.js';

/** The records that a run of an agent uses, in the agent's order. */
export interface AgentLinks {
  /** Active plugins of the agent. */
  plugins: RunnablePlugin[];
  /** UUIDs of the agent's MCP servers. */
  servers: readonly string[];
  /** Agents that this agent may call. */
  callees: CallableAgent[];
}

const rowsOf = (select: string) => `(SELECT coalesce(json_agg(row_to_json(r)), '[]') FROM (${select}) r)`;

const OF_AGENT = `
  SELECT ${rowsOf(selectPlugins(linked('agent_plugins')))} AS plugins,
         ARRAY(SELECT server_id FROM agent_mcp_servers WHERE agent_id = $1 ORDER BY position, server_id) AS servers,
         ${rowsOf(selectCallees(linked('agent_callees')))} AS callees`;

const OF_NAMED = `
  SELECT ${rowsOf(selectPlugins(named('plugin_id', '$1')))} AS plugins, ${rowsOf(selectCallees(named('callee_id', '$3')))} AS callees`;

const NONE: AgentLinks = { plugins: [], servers: [], callees: [] };

/** Lists the records that an agent uses, in one statement. The built-in agent has no row and uses no records. */
export async function listAgentLinks(
  db: Database,
  project: Project,
  { id, uses }: Pick<RunnableAgent, 'id' | 'uses'>,
): Promise<AgentLinks> {
  if (uses) {
    const values = [uses.plugins, project, uses.callees];
    const [row] = await db.prepared<Omit<AgentLinks, 'servers'>>('list-named-links', OF_NAMED, values);
    return { ...NONE, ...row, servers: uses.servers };
  }
  if (id === BUILT_IN_AGENT.id) return NONE;
  const [row] = await db.prepared<AgentLinks>('list-agent-links', OF_AGENT, [id, project]);
  return row ?? NONE;
}
