import type { Project } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { decodeId, encodeId, FIRST_ID, type Database } from '@millwright/db';
import { equals, listPage } from '@millwright/records';
import { CONCIERGE } from '../concierge/concierge.js';
import type { RegistryQuery } from '../lists/registry-page.js';

/** The fields of an agent that the registry needs. Long texts are left out. */
export interface ListedAgent extends Pick<RunnableAgent, 'slug' | 'model' | 'status' | 'is_stopped'> {
  /** Names of the agent's active skills, in their order. */
  skills: string[];
}

const SKILLS = `FROM agent_skills l JOIN skills s ON s.id = l.skill_id WHERE l.agent_id = r.id AND s.status = 'active'`;

const LISTED = {
  name: 'registered-agents',
  table: 'agents',
  columns: `r.slug, r.model, r.status, r.stopped_at IS NOT NULL AS is_stopped,
            ARRAY(SELECT s.name ${SKILLS} ORDER BY l.position, s.id) AS skills`,
  bytes: `(SELECT coalesce(sum(octet_length(s.name)), 0) ${SKILLS})`,
};

const BUILTIN: ListedAgent = { ...CONCIERGE, skills: CONCIERGE.skills.map(({ name }) => name) };

/** Lists a page of a project's agents, oldest first, with their total. While no agent is active, the built-in agent is the last entry. */
export async function listAgents(
  db: Database,
  project: Project,
  { limit, offset }: RegistryQuery,
): Promise<{ agents: ListedAgent[]; total: number }> {
  const [{ rows, total }, [found]] = await Promise.all([
    listPage<ListedAgent>(db.reads, LISTED, {
      conditions: [equals('r.project', project)],
      sort: 'created_at',
      direction: 'asc',
      limit,
      offset,
    }),
    db.prepared<{ active: boolean }>(
      'has-active-agent',
      `SELECT EXISTS (SELECT FROM agents WHERE project = $1 AND status = 'active') AS active`,
      [project],
    ),
  ]);
  if (found?.active) return { agents: rows, total };
  const isLast = rows.length < limit && offset + rows.length === total;
  return { agents: isLast ? [...rows, BUILTIN] : rows, total: total + 1 };
}

/** Number of agents on a page of `tools/list`. MCP clients accept this number of tools from one server. */
const AGENTS_PAGE = 500;

/** Lists a page of a project's active agents as tools, oldest first; undefined for an invalid cursor. */
export async function listAgentTools(db: Database, project: Project, cursor: string | undefined) {
  const after = cursor === undefined ? FIRST_ID : decodeId('ag', cursor);
  if (after === undefined) return undefined;
  const rows = await db.prepared<{ id: string; slug: string; description: string }>(
    'list-agent-tools',
    `SELECT id, slug, description FROM agents
      WHERE project = $1 AND status = 'active' AND id > $2 ORDER BY id LIMIT ${AGENTS_PAGE + 1}`,
    [project, after],
  );
  const agents = rows.slice(0, AGENTS_PAGE);
  const last = rows.length > AGENTS_PAGE ? agents.at(-1) : undefined;
  return { agents, next: last && encodeId('ag', last.id) };
}
