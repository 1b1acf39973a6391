import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import {
  AGENT_COLUMNS,
  changeAgentRecord,
  createAgentRecord,
  raiseAgents,
  toAgentRecord,
  type AgentRelations,
  type AgentRow,
} from '@millwright/catalog';
import {
  addToCount,
  decodeId,
  encodeId,
  lockRecord,
  type Database,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ListQuery } from '../lists/list.contract.js';
import { findRecord, listRecords, type RecordSource } from '../lists/list.store.js';
import type { Agent, AgentChanges, NewAgent } from './agents.contract.js';

type AgentFields = Omit<NewAgent, 'skill_ids' | 'plugin_ids' | 'mcp_server_ids'>;
type AgentFieldChanges = Omit<AgentChanges, 'skill_ids' | 'plugin_ids' | 'mcp_server_ids' | 'slug'>;

/** What an agent may use, by table. */
const PREFIXES = { skills: 'sk', plugins: 'pl', mcp_servers: 'ms' } as const;
export type Used = keyof typeof PREFIXES;

const AGENTS: RecordSource<AgentRow, Versioned<Agent>> = {
  kind: 'agents',
  prefix: 'ag',
  columns: AGENT_COLUMNS,
  toShown: toAgentRecord,
};

/** The only file that reads and writes agents for area B. Every function sees one project and nothing else. */
export function createAgentStore(db: Database) {
  return {
    find: (project: Project, id: string) => findRecord(db, AGENTS, project, id),

    list: (project: Project, query: ListQuery) => listRecords(db, AGENTS, project, query),

    /** Of these ids, those that exist in the project, with their UUIDs. They stay until the transaction ends. */
    async resolve(tx: Tx, kind: Used, project: Project, ids: readonly string[]): Promise<Map<string, string>> {
      const byUuid = new Map(ids.map((id) => [decodeId(PREFIXES[kind], id), id]));
      const uuids = [...byUuid.keys()].filter((uuid) => uuid !== undefined);
      const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
        `SELECT id FROM ${kind} WHERE project = $1 AND id = ANY($2::uuid[]) FOR KEY SHARE`,
        project,
        uuids,
      );
      return new Map(rows.map((row) => [byUuid.get(row.id) ?? '', row.id]));
    },

    create(tx: Tx, caller: Caller, fields: AgentFields, relations: AgentRelations): Promise<Versioned<Agent>> {
      return createAgentRecord(tx, caller, fields, relations);
    },

    /** Sets these fields, and these skills, plugins and MCP servers in their order when given. Without any, the record stays as it is. */
    async change(
      tx: Tx,
      caller: Caller,
      target: Target,
      fields: AgentFieldChanges,
      relations: AgentRelations,
    ): Promise<Versioned<Agent>> {
      const current = await lockRecord(tx, 'agents', caller.project, decodeId('ag', target.id), target.ifMatch);
      return changeAgentRecord(tx, caller, current, fields, relations);
    },

    async remove(tx: Tx, { project, actor }: Caller, target: Target): Promise<void> {
      const current = await lockRecord(tx, 'agents', project, decodeId('ag', target.id), target.ifMatch);
      await tx.agent.delete({ where: { id: current.id } });
      await addToCount(tx, { project, kind: 'agents', status: current.status }, -1);
      await recordDecision(tx, { actor, action: 'agent.delete', resource: target.id, project });
    },

    /** Adds the skill after the others. `false` when the agent has it already. */
    async assignSkill(tx: Tx, { project, actor }: Caller, target: Target, skillUuid: string): Promise<boolean> {
      const current = await lockRecord(tx, 'agents', project, decodeId('ag', target.id), target.ifMatch);
      const added = await tx.$executeRaw`
        INSERT INTO agent_skills (agent_id, skill_id, position)
        SELECT ${current.id}::uuid, ${skillUuid}::uuid, coalesce(max(position) + 1, 0) FROM agent_skills WHERE agent_id = ${current.id}::uuid
        ON CONFLICT DO NOTHING`;
      if (added === 0) return false;
      await raiseAgents(tx, actor, [current.id]);
      const detail = { skill_id: encodeId('sk', skillUuid) };
      await recordDecision(tx, { actor, action: 'agent.assign_skill', resource: target.id, project, detail });
      return true;
    },

    /** @throws AppError not_found when the agent does not have it. */
    async removeSkill(tx: Tx, { project, actor }: Caller, target: Target, skillId: string): Promise<void> {
      const current = await lockRecord(tx, 'agents', project, decodeId('ag', target.id), target.ifMatch);
      const skillUuid = decodeId('sk', skillId);
      const removed =
        skillUuid && (await tx.agentSkill.deleteMany({ where: { agent_id: current.id, skill_id: skillUuid } })).count;
      if (!removed) throw new AppError('not_found');
      await raiseAgents(tx, actor, [current.id]);
      const detail = { skill_id: skillId };
      await recordDecision(tx, { actor, action: 'agent.remove_skill', resource: target.id, project, detail });
    },
  };
}
export type AgentStore = ReturnType<typeof createAgentStore>;
