import type { Caller } from '@millwright/auth';
import type { Target, Tx, Versioned } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import type { Agent, AgentChanges, NewAgent } from './agents.contract.js';
import type { AgentStore } from './agents.store.js';

/** What the installation's models are called. */
export type KnownModels = (name: string) => boolean;

/** The rules of agents: the models they name exist here, the skills they name exist in their project. */
export function createAgentService(agents: AgentStore, isKnownModel: KnownModels) {
  function requireModel(model: string | null | undefined) {
    if (typeof model === 'string' && !isKnownModel(model))
      throw invalidField('model', 'is not a model of this installation');
  }

  /** The skills' UUIDs in the order given. */
  async function requireSkills(tx: Tx, { project }: Caller, skillIds: readonly string[] | undefined) {
    if (!skillIds) return undefined;
    const found = await agents.resolveSkills(tx, project, skillIds);
    return skillIds.map((id) => {
      const uuid = found.get(id);
      if (!uuid) throw invalidField('skill_ids', `${id} does not exist`);
      return uuid;
    });
  }

  return {
    async create(tx: Tx, caller: Caller, input: NewAgent): Promise<Versioned<Agent>> {
      requireModel(input.model);
      const { skill_ids: skillIds, ...fields } = input;
      const skills = (await requireSkills(tx, caller, skillIds)) ?? [];
      return agents.create(tx, caller, fields, skills);
    },

    async change(tx: Tx, caller: Caller, target: Target, changes: AgentChanges): Promise<Versioned<Agent>> {
      requireModel(changes.model);
      const { skill_ids: skillIds, ...fields } = changes;
      const skills = await requireSkills(tx, caller, skillIds);
      return agents.change(tx, caller, target, fields, skills);
    },
  };
}
export type AgentService = ReturnType<typeof createAgentService>;
