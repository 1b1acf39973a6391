import type { Caller } from '@millwright/auth';
import { decodeId, lockRecord, type Target, type Tx, type Versioned } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { changeAgentRecord, createAgentRecord } from './agent-records.js';
import { resolveUsed, type Used } from './agent-relations.js';
import type { Agent, AgentChanges, NewAgent } from './agent-shapes.js';

/** What the installation's models are called. */
export type KnownModels = (name: string) => boolean;

type RelationIds = Pick<AgentChanges, 'skill_ids' | 'plugin_ids' | 'mcp_server_ids'>;

/** The rules of agents: the models they name exist here, the skills, plugins and MCP servers they name exist in their project. */
export function createAgentRules(isKnownModel: KnownModels) {
  function requireModel(model: string | null | undefined) {
    if (typeof model === 'string' && !isKnownModel(model))
      throw invalidField('model', 'is not a model of this installation');
  }

  async function requireRelations(tx: Tx, { project }: Caller, { skill_ids, plugin_ids, mcp_server_ids }: RelationIds) {
    /** The UUIDs of the named records in the order given. */
    const requireAll = async (field: keyof RelationIds, kind: Used, ids: readonly string[] | undefined) => {
      if (!ids) return undefined;
      const found = await resolveUsed(tx, kind, project, ids);
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
      return createAgentRecord(tx, caller, fields, relations);
    },

    async change(tx: Tx, caller: Caller, target: Target, changes: AgentChanges): Promise<Versioned<Agent>> {
      requireModel(changes.model);
      const { skill_ids, plugin_ids, mcp_server_ids, ...fields } = changes;
      const relations = await requireRelations(tx, caller, { skill_ids, plugin_ids, mcp_server_ids });
      const current = await lockRecord(tx, 'agents', caller.project, decodeId('ag', target.id), target.ifMatch);
      return changeAgentRecord(tx, caller, current, fields, relations);
    },
  };
}
export type AgentRules = ReturnType<typeof createAgentRules>;
