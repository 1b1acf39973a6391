import type { Project } from '@millwright/auth';
import type { ToolList } from '@millwright/auth/tool-lists';
import type { Database } from '@millwright/db';
import type { SkillParameters } from '../skills/skill-parameters.schema.js';

/** A skill in the prompt of its agent's model. */
export interface RunnableSkill {
  name: string;
  description: string;
  instructions: string;
  parameters: SkillParameters;
}

/** An agent with what a run of it needs: its active skills, in their order. */
export interface RunnableAgent {
  id: string;
  name: string;
  slug: string;
  description: string;
  instructions: string;
  model: string | null;
  status: 'active' | 'inactive';
  /** Null: the built-in one. */
  version: number | null;
  /** What follows when the outcome of a tool's call is unknown: ask a person, inform the model, or fail the run. */
  on_unknown: 'ask' | 'tell' | 'fail';
  /** An admin has stopped it: no run of it is started. */
  is_stopped: boolean;
  /** Since when it is stopped. */
  stopped_at: Date | null;
  /** Content with any of these tags is knowledge that it may use. */
  content_tags: string[];
  /** The tools of its MCP servers that it may use. */
  mcp_tools: ToolList;
  /** The tools whose calls need a person's decision, besides those whose rule is `ask`. */
  ask_tools: ToolList;
  skills: RunnableSkill[];
  /** Of an earlier version: the ids of the plugins and MCP servers that it had; the present ones besides these are left out. */
  only?: { plugins: readonly string[] | undefined; servers: readonly string[] | undefined };
}

const SELECT = `
  SELECT a.id, a.name, a.slug, a.description, a.instructions, a.model, a.status, a.version, a.on_unknown,
         a.stopped_at IS NOT NULL AS is_stopped, a.stopped_at, a.content_tags, a.mcp_tools, a.ask_tools,
         coalesce((SELECT json_agg(json_build_object('name', s.name, 'description', s.description,
                                                     'instructions', s.instructions, 'parameters', s.parameters)
                                   ORDER BY l.position, s.id)
                     FROM agent_skills l JOIN skills s ON s.id = l.skill_id
                    WHERE l.agent_id = a.id AND s.status = 'active'), '[]') AS skills
    FROM agents a`;

/** One query. `undefined` when the project has no agent of that slug. */
export async function findRunnableAgent(
  db: Database,
  project: Project,
  slug: string,
): Promise<RunnableAgent | undefined> {
  const text = `${SELECT} WHERE a.project = $1 AND a.slug = $2`;
  const [agent] = await db.prepared<RunnableAgent>('find-runnable-agent', text, [project, slug]);
  return agent;
}

/** A project's agents, oldest first. */
export async function listRunnableAgents(db: Database, project: Project): Promise<RunnableAgent[]> {
  return db.prepared<RunnableAgent>(
    'list-runnable-agents',
    `${SELECT} WHERE a.project = $1 ORDER BY a.created_at, a.id`,
    [project],
  );
}

/**
 * The default agent of the installation: the marked one, else the oldest of those that are active and published. `undefined` when
 * there is none.
 */
export async function findDefaultAgent(db: Database): Promise<RunnableAgent | undefined> {
  const [agent] = await db.prepared<RunnableAgent>(
    'find-default-agent',
    `${SELECT} LEFT JOIN default_agent d ON d.agent_id = a.id WHERE a.status = 'active' AND a.published
      ORDER BY d.agent_id NULLS LAST, a.created_at, a.id LIMIT 1`,
    [],
  );
  return agent;
}
