import type { Caller } from '@millwright/auth';
import type { Target, Tx, Versioned } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import type { Agent, AgentChanges, NewAgent } from './agents.contract.js';
import type { AgentStore, Used } from './agents.store.js';

/** What the installation's models are called. */
export type KnownModels = (name: string) => boolean;

type RelationIds = Pick<AgentChanges, 'skill_ids' | 'plugin_ids' | 'mcp_server_ids'>;

/** The rules of agents: the models they name exist here, the skills, plugins and MCP servers they name exist in their project. */
export function createAgentService(agents: AgentStore, isKnownModel: KnownModels) {
  function requireModel(model: string | null | undefined) {
    if (typeof model === 'string' && !isKnownModel(model))
      throw invalidField('model', 'is not a model of this installation');
  }

  async function requireRelations(tx: Tx, { project }: Caller, { skill_ids, plugin_ids, mcp_server_ids }: RelationIds) {
    /** The UUIDs of the named records in the order given. */
    const requireAll = async (field: keyof RelationIds, kind: Used, ids: readonly string[] | undefined) => {
      if (!ids) return undefined;
      const found = await agents.resolve(tx, kind, project, ids);
      return ids.map((id) => {
        const uuid = found.get(id);
        if (!uuid) throw invalidField(field, `${id} does not exist`);
        return uuid;
      });
    };
    return {
      skills: await requireAll('skill_ids', 'skills', skill_ids),
      plugins: await requireAll('plugin_ids', 'plugins', plugin_ids),
      servers: await requireAll('mcp_server_ids', 'mcp_servers', mcp_server_ids),
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
