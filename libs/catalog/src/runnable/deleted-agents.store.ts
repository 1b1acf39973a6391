import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { isFinishing } from '@millwright/db/deleted-agents';
import { selectPoliciesWith } from '@millwright/guards';
import { Agent } from '../agents/agents.schema.js';
import { agentInState } from './agent-at-version.js';
import { usesOf } from './agent-uses.js';
import { listActiveSkills, type RunnableAgent } from './runnable-agents.store.js';

interface KeptRow {
  id: string;
  version: number;
  slug: string;
  agent: unknown;
  state: unknown;
  guard_policies: RunnableAgent['guard_policies'];
}

const SELECT = `SELECT k.agent_id AS id, k.version, k.slug, k.agent, k.state,
  ${selectPoliciesWith('k.project', 'k.guard_policies')} AS guard_policies FROM deleted_agent_versions k`;

async function toRunnable(db: Database, row: KeptRow): Promise<RunnableAgent> {
  const { id, version, slug, state, guard_policies } = row;
  const record = Agent.parse(row.agent);
  const agent: RunnableAgent = {
    ...{ id, version, slug, name: record.name, description: record.description, instructions: record.instructions },
    ...{ model: record.model, model_parameters: record.model_parameters, on_unknown: record.on_unknown },
    ...{ content_tags: record.content_tags, mcp_tools: record.mcp_tools, ask_tools: record.ask_tools },
    ...{ status: 'active', is_stopped: false, stopped_at: null, guard_policies },
    skills: await listActiveSkills(db, record.skill_ids),
    uses: usesOf(record),
  };
  return state === null ? agent : agentInState(db, agent, version, state);
}

/** A run whose agent was deleted. */
export interface RunOfDeleted {
  agentId: string;
  version: number | null;
  startedAt: Date;
}

/**
 * Finds the version of a deleted agent that a run used before the deletion. The rights of this version follow the current rules of its
 * servers and tools, and include only servers and tools that the version had. Returns `undefined` when the run has to end.
 */
export async function findDeletedAgent(
  db: Database,
  project: Project,
  { agentId, version, startedAt }: RunOfDeleted,
): Promise<RunnableAgent | undefined> {
  const text = `${SELECT} WHERE k.project = $1 AND k.agent_id = $2 AND k.version = $3 AND k.at >= $4 AND ${isFinishing('k')}`;
  const [row] = await db.prepared<KeptRow>('find-deleted-agent', text, [project, agentId, version, startedAt]);
  return row && toRunnable(db, row);
}

/**
 * Finds the agent with this slug that was deleted last, as long as its runs may finish. Its status shows that it cannot
 * start new runs.
 */
export async function findDeletedAgentNamed(
  db: Database,
  project: Project,
  slug: string,
): Promise<RunnableAgent | undefined> {
  const text = `${SELECT} WHERE k.project = $1 AND k.slug = $2 ORDER BY k.at DESC LIMIT 1`;
  const [row] = await db.prepared<KeptRow>('find-deleted-agent-named', text, [project, slug]);
  return row && { ...(await toRunnable(db, row)), status: 'inactive' };
}
