import type { Caller } from '@millwright/auth';
import type { Target, Tx, Versioned } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import type { Agent, AgentChanges, NewAgent } from './agents.contract.js';
import type { AgentStore } from './agents.store.js';

/** What the installation's models are called. */
export type KnownModels = (name: string) => boolean;

type RelationIds = Pick<AgentChanges, 'skill_ids' | 'plugin_ids' | 'mcp_server_ids'>;

/** The rules of agents: the models they name exist here, the skills, plugins and MCP servers they name exist in their project. */
export function createAgentService(agents: AgentStore, isKnownModel: KnownModels) {
  function requireModel(model: string | null | undefined) {
    if (typeof model === 'string' && !isKnownModel(model))
      throw invalidField('model', 'is not a model of this installation');
  }

  /** The UUIDs of skills, plugins or MCP servers in the order given. */
  async function requireAll(
    field: keyof RelationIds,
    ids: readonly string[] | undefined,
    resolve: (ids: readonly string[]) => Promise<Map<string, string>>,
  ) {
    if (!ids) return undefined;
    const found = await resolve(ids);
    return ids.map((id) => {
      const uuid = found.get(id);
      if (!uuid) throw invalidField(field, `${id} does not exist`);
      return uuid;
    });
  }

  async function requireRelations(tx: Tx, { project }: Caller, { skill_ids, plugin_ids, mcp_server_ids }: RelationIds) {
    return {
      skills: await requireAll('skill_ids', skill_ids, (ids) => agents.resolveSkills(tx, project, ids)),
      plugins: await requireAll('plugin_ids', plugin_ids, (ids) => agents.resolvePlugins(tx, project, ids)),
      servers: await requireAll('mcp_server_ids', mcp_server_ids, (ids) => agents.resolveServers(tx, project, ids)),
    };
  }

  return {
    async create(tx: Tx, caller: Caller, input: NewAgent): Promise<Versioned<Agent>> {
      requireModel(input.model);
      const { skill_ids, plugin_ids, mcp_server_ids, ...fields } = input;
      const relations = await requireRelations(tx, caller, { skill_ids, plugin_ids, mcp_server_ids });
      return agents.create(tx, caller, fields, relations);
    },

    async change(tx: Tx, caller: Caller, target: Target, changes: AgentChanges): Promise<Versioned<Agent>> {
      requireModel(changes.model);
      const { skill_ids, plugin_ids, mcp_server_ids, ...fields } = changes;
      const relations = await requireRelations(tx, caller, { skill_ids, plugin_ids, mcp_server_ids });
      return agents.change(tx, caller, target, fields, relations);
    },
  };
}
export type AgentService = ReturnType<typeof createAgentService>;
