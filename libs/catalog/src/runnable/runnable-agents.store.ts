import type { Project } from '@millwright/auth';
import type { ToolList } from '@millwright/auth/tool-lists';
import type { StoredToolRule } from '@millwright/auth/tool-rules';
import { decodeId, type Database } from '@millwright/db';
import { readParameters, type ModelParameters } from '@millwright/models/parameters';
import { selectPolicies, type GuardPolicy } from '@millwright/guards';
import type { SkillParameters } from '../skills/skill-parameters.schema.js';

/** A skill in the form in which an agent's prompt contains it. */
export interface RunnableSkill {
  name: string;
  description: string;
  instructions: string;
  parameters: SkillParameters;
}

/** An agent with its active skills, in their order, as a run needs it. */
export interface RunnableAgent {
  id: string;
  name: string;
  slug: string;
  description: string;
  instructions: string;
  model: string | null;
  /** Parameters of model calls. They override the defaults of the model. */
  model_parameters: ModelParameters;
  status: 'active' | 'inactive';
  /** Version of the agent; null for the built-in agent. */
  version: number | null;
  /** The reaction of a run to a tool call whose outcome is unknown: the run waits for a person, informs the model, or fails. */
  on_unknown: 'ask' | 'tell' | 'fail';
  /** Whether an admin has stopped the agent, so that no run of it starts. */
  is_stopped: boolean;
  /** Time at which an admin stopped the agent. */
  stopped_at: Date | null;
  /** Content with any of these tags is knowledge that the agent may use. */
  content_tags: string[];
  /** Tools of the agent's MCP servers that the agent may use. */
  mcp_tools: ToolList;
  /** The tools whose calls need a person's decision, in addition to the tools whose rule is `ask`. */
  ask_tools: ToolList;
  skills: RunnableSkill[];
  /** Guard policies for the texts of the agent's runs. */
  guard_policies: readonly GuardPolicy[];
  /**
   * Ids of the plugins, MCP servers and callees that an earlier version had. When this field is set, the agent's
   * present records that are not in these lists are left out.
   */
  only?: Record<'plugins' | 'servers' | 'callees', readonly string[] | undefined>;
  /** Links of an unsaved draft or of a deleted agent. They replace the links of the saved agent. */
  uses?: AgentUses;
  /** Id of an unsaved draft. Its conversation has this id instead of the id of an agent, and is omitted from lists of conversations. */
  draftId?: string;
  /**
   * Whether this agent is unsaved and comes from a request that names a model or a prompt. The model then gets the
   * instructions without the name of an agent.
   */
  isUnnamed?: boolean;
}

/** The records of an unsaved or deleted agent, as UUIDs in order. Such an agent has no rows in the tables of links. */
export interface AgentUses {
  plugins: readonly string[];
  servers: readonly string[];
  callees: readonly string[];
}

/** An agent as a tool of another agent. */
export interface CallableAgent extends StoredToolRule {
  /** UUID of the agent. */
  id: string;
  name: string;
  slug: string;
  description: string;
  version: number;
}

const SELECT = `
  SELECT a.id, a.name, a.slug, a.description, a.instructions, a.model, a.model_parameters, a.status, a.version, a.on_unknown,
         a.stopped_at IS NOT NULL AS is_stopped, a.stopped_at, a.content_tags, a.mcp_tools, a.ask_tools,
         coalesce((SELECT json_agg(json_build_object('name', s.name, 'description', s.description,
                                                     'instructions', s.instructions, 'parameters', s.parameters)
                                   ORDER BY l.position, s.id)
                     FROM agent_skills l JOIN skills s ON s.id = l.skill_id
                    WHERE l.agent_id = a.id AND s.status = 'active'), '[]') AS skills,
         ${selectPolicies('a.project', ' OR g.agent_id = a.id')} AS guard_policies
    FROM agents a`;

type AgentRow = Omit<RunnableAgent, 'model_parameters'> & { model_parameters: unknown };

const toRunnable = (row: AgentRow): RunnableAgent => ({
  ...row,
  model_parameters: readParameters(row.model_parameters),
});

/** Finds an agent in one query. Returns `undefined` when the project has no agent with that slug. */
export async function findRunnableAgent(
  db: Database,
  project: Project,
  slug: string,
): Promise<RunnableAgent | undefined> {
  const text = `${SELECT} WHERE a.project = $1 AND a.slug = $2`;
  const [agent] = await db.prepared<AgentRow>('find-runnable-agent', text, [project, slug]);
  return agent && toRunnable(agent);
}

/** Returns the active skills of this list, in the order of the list, with their current text. */
export const listActiveSkills = (db: Database, ids: readonly string[]): Promise<RunnableSkill[]> =>
  db.prepared<RunnableSkill>(
    'list-named-skills',
    `SELECT s.name, s.description, s.instructions, s.parameters FROM unnest($1::uuid[]) WITH ORDINALITY w (id, place)
       JOIN skills s ON s.id = w.id AND s.status = 'active' ORDER BY w.place`,
    [ids.flatMap((id) => decodeId('sk', id) ?? [])],
  );

/** SQL of the agents that an agent of the project `$2` may call, in their order. */
export const selectCallees = (links: string) =>
  `SELECT a.id, a.name, a.slug, a.description, a.version, a.rule, a.rule_version IS NOT DISTINCT FROM a.version AS is_rule_current,
          a.other_decider OR coalesce(t.other_decider, false) AS other_decider, t.unmarked_tools
     FROM ${links} JOIN agents a ON a.id = l.callee_id
     LEFT JOIN tool_policies t ON t.project = a.project
    WHERE a.project = $2 ORDER BY l.position, a.id`;

/**
 * Finds the default agent of the installation: the agent that is marked as default, or else the oldest agent that is
 * active and published. Returns `undefined` when there is no such agent.
 */
export async function findDefaultAgent(db: Database): Promise<RunnableAgent | undefined> {
  const [agent] = await db.prepared<AgentRow>(
    'find-default-agent',
    `${SELECT} WHERE a.id = coalesce(
       (SELECT d.agent_id FROM default_agent d JOIN agents m ON m.id = d.agent_id WHERE m.status = 'active' AND m.published),
       (SELECT o.id FROM agents o WHERE o.status = 'active' AND o.published ORDER BY o.created_at, o.id LIMIT 1))`,
    [],
  );
  return agent && toRunnable(agent);
}
