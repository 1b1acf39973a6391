import type { Database } from '@millwright/db';
import { AgentState } from '../agents/agents.schema.js';
import { listActiveSkills, type RunnableAgent } from './runnable-agents.store.js';

/**
 * Returns an agent in the state of one of its versions, with the instructions, model, parameters, knowledge and skills of that version. The
 * rights of the agent follow the current rules and lists, and include only tools that the version had. Tools that were removed or added
 * later are not available. Skills have their current text.
 */
export async function agentAtVersion(
  db: Database,
  agent: RunnableAgent,
  version: number | null,
): Promise<RunnableAgent> {
  if (version === null || version === agent.version) return agent;
  const [row] = await db.prepared<{ state: unknown }>(
    'find-agent-version',
    'SELECT state FROM agent_versions WHERE agent_id = $1 AND version = $2',
    [agent.id, version],
  );
  return row ? agentInState(db, agent, version, row.state) : agent;
}

/** Returns the agent with the stored state of a version. */
export async function agentInState(
  db: Database,
  agent: RunnableAgent,
  version: number,
  state: unknown,
): Promise<RunnableAgent> {
  const { skill_ids = [], plugin_ids, mcp_server_ids, agent_ids, ...then } = AgentState.parse(state);
  const { name, description, instructions, model, model_parameters, content_tags } = { ...agent, ...then };
  const skills = await listActiveSkills(db, skill_ids);
  const only = { plugins: plugin_ids, servers: mcp_server_ids, callees: agent_ids ?? [] };
  return { ...agent, version, name, description, instructions, model, model_parameters, content_tags, skills, only };
}
