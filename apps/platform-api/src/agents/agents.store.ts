import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { slugCandidates, slugify } from '@millwright/catalog';
import {
  addToCount,
  decodeId,
  encodeId,
  conflictWhenTaken,
  lockRecord,
  moveCount,
  newId,
  type Database,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ListQuery } from '../lists/list.contract.js';
import { listPage } from '../lists/list.store.js';
import { keepVersions } from '../versions/versions.store.js';
import { AgentState, type Agent, type AgentChanges, type NewAgent } from './agents.contract.js';

interface AgentRow {
  id: string;
  name: string;
  slug: string;
  description: string;
  instructions: string;
  model: string | null;
  status: string;
  published: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
  content_tags: string[];
  skill_uuids: string[];
  plugin_uuids: string[];
  server_uuids: string[];
}

const COLUMNS = `r.id, r.name, r.slug, r.description, r.instructions, r.model, r.status, r.published, r.version, r.created_at, r.updated_at,
  r.content_tags,
  ARRAY(SELECT l.skill_id::text FROM agent_skills l WHERE l.agent_id = r.id ORDER BY l.position, l.skill_id) AS skill_uuids,
  ARRAY(SELECT l.plugin_id::text FROM agent_plugins l WHERE l.agent_id = r.id ORDER BY l.position, l.plugin_id) AS plugin_uuids,
  ARRAY(SELECT l.server_id::text FROM agent_mcp_servers l WHERE l.agent_id = r.id ORDER BY l.position, l.server_id) AS server_uuids`;

function toAgent(row: AgentRow): Versioned<Agent> {
  const { name, slug, description, instructions, model, published, content_tags, version } = row;
  return {
    version,
    record: {
      id: encodeId('ag', row.id),
      name,
      slug,
      description,
      skill_ids: row.skill_uuids.map((uuid) => encodeId('sk', uuid)),
      plugin_ids: row.plugin_uuids.map((uuid) => encodeId('pl', uuid)),
      content_tags,
      mcp_server_ids: row.server_uuids.map((uuid) => encodeId('ms', uuid)),
      model,
      instructions,
      status: row.status === 'active' ? 'active' : 'inactive',
      published,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    },
  };
}

async function readAll(tx: Tx, uuids: readonly string[]): Promise<Versioned<Agent>[]> {
  const text = `SELECT ${COLUMNS} FROM agents r WHERE r.id = ANY($1::uuid[])`;
  return (await tx.$queryRawUnsafe<AgentRow[]>(text, uuids)).map(toAgent);
}

/** Keeps the versions that these agents have now. */
async function keep(tx: Tx, actor: Caller['actor'], uuids: readonly string[]): Promise<Versioned<Agent>[]> {
  const agents = await readAll(tx, uuids);
  const versions = agents.map((agent) => ({ ...agent, state: AgentState.parse(agent.record) }));
  await keepVersions(tx, 'agent', actor, versions);
  return agents;
}

/** Raises the versions of these agents, which just lost or gained something they use, and keeps the new ones. */
export async function raiseAgents(tx: Tx, actor: Caller['actor'], uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  // In one order, so that two that raise the same agents never wait for each other.
  await tx.$queryRaw`SELECT 1 FROM agents WHERE id = ANY(${uuids}::uuid[]) ORDER BY id FOR UPDATE`;
  const data = { version: { increment: 1 }, updated_at: new Date() };
  await tx.agent.updateMany({ where: { id: { in: [...uuids] } }, data });
  await keep(tx, actor, uuids);
}

type AgentFields = Omit<NewAgent, 'skill_ids' | 'plugin_ids' | 'mcp_server_ids'>;
type AgentFieldChanges = Omit<AgentChanges, 'skill_ids' | 'plugin_ids' | 'mcp_server_ids' | 'slug'>;

/** UUIDs in their order; `undefined` where nothing is said of them. */
export interface AgentRelations {
  skills: readonly string[] | undefined;
  plugins: readonly string[] | undefined;
  servers: readonly string[] | undefined;
}

/** The only file that reads and writes agents for area B. Every function sees one project and nothing else. */
export function createAgentStore(db: Database) {
  async function setSkills(tx: Tx, agentUuid: string, skills: readonly string[]) {
    await tx.agentSkill.deleteMany({ where: { agent_id: agentUuid, skill_id: { notIn: [...skills] } } });
    for (const [position, skill_id] of skills.entries()) {
      const key = { agent_id: agentUuid, skill_id };
      await tx.agentSkill.upsert({
        where: { agent_id_skill_id: key },
        create: { ...key, position },
        update: { position },
      });
    }
  }

  async function setPlugins(tx: Tx, agentUuid: string, plugins: readonly string[]) {
    await tx.agentPlugin.deleteMany({ where: { agent_id: agentUuid, plugin_id: { notIn: [...plugins] } } });
    for (const [position, plugin_id] of plugins.entries()) {
      const key = { agent_id: agentUuid, plugin_id };
      await tx.agentPlugin.upsert({
        where: { agent_id_plugin_id: key },
        create: { ...key, position },
        update: { position },
      });
    }
  }

  async function setServers(tx: Tx, agentUuid: string, servers: readonly string[]) {
    await tx.agentMcpServer.deleteMany({ where: { agent_id: agentUuid, server_id: { notIn: [...servers] } } });
    for (const [position, server_id] of servers.entries()) {
      const key = { agent_id: agentUuid, server_id };
      await tx.agentMcpServer.upsert({
        where: { agent_id_server_id: key },
        create: { ...key, position },
        update: { position },
      });
    }
  }

  async function setRelations(tx: Tx, agentUuid: string, { skills, plugins, servers }: AgentRelations) {
    if (skills) await setSkills(tx, agentUuid, skills);
    if (plugins) await setPlugins(tx, agentUuid, plugins);
    if (servers) await setServers(tx, agentUuid, servers);
  }

  return {
    async find(project: Project, id: string): Promise<Versioned<Agent> | undefined> {
      const uuid = decodeId('ag', id);
      if (!uuid) return undefined;
      const text = `SELECT ${COLUMNS} FROM agents r WHERE r.id = $1 AND r.project = $2`;
      const [row] = await db.prepared<AgentRow>('find-agent', text, [uuid, project]);
      return row && toAgent(row);
    },

    async list(project: Project, query: ListQuery) {
      const { rows, total } = await listPage<AgentRow>(db, { kind: 'agents', columns: COLUMNS }, project, query);
      return { items: rows.map((row) => toAgent(row).record), total, page: query.page, per_page: query.per_page };
    },

    /** Of these skill ids, those that exist in the project, with their UUIDs. They stay until the transaction ends. */
    async resolveSkills(tx: Tx, project: Project, ids: readonly string[]): Promise<Map<string, string>> {
      const byUuid = new Map(ids.map((id) => [decodeId('sk', id), id]));
      const uuids = [...byUuid.keys()].filter((uuid) => uuid !== undefined);
      const rows = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM skills WHERE project = ${project} AND id = ANY(${uuids}::uuid[]) FOR KEY SHARE`;
      return new Map(rows.map((row) => [byUuid.get(row.id) ?? '', row.id]));
    },

    /** The same of plugins. */
    async resolvePlugins(tx: Tx, project: Project, ids: readonly string[]): Promise<Map<string, string>> {
      const byUuid = new Map(ids.map((id) => [decodeId('pl', id), id]));
      const uuids = [...byUuid.keys()].filter((uuid) => uuid !== undefined);
      const rows = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM plugins WHERE project = ${project} AND id = ANY(${uuids}::uuid[]) FOR KEY SHARE`;
      return new Map(rows.map((row) => [byUuid.get(row.id) ?? '', row.id]));
    },

    /** The same of MCP servers. */
    async resolveServers(tx: Tx, project: Project, ids: readonly string[]): Promise<Map<string, string>> {
      const byUuid = new Map(ids.map((id) => [decodeId('ms', id), id]));
      const uuids = [...byUuid.keys()].filter((uuid) => uuid !== undefined);
      const rows = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM mcp_servers WHERE project = ${project} AND id = ANY(${uuids}::uuid[]) FOR KEY SHARE`;
      return new Map(rows.map((row) => [byUuid.get(row.id) ?? '', row.id]));
    },

    async create(
      tx: Tx,
      { project, actor }: Caller,
      fields: AgentFields,
      relations: AgentRelations,
    ): Promise<Versioned<Agent>> {
      const id = newId();
      const slug = await reserveSlug(tx, slugify(fields.name) || encodeId('ag', id));
      const now = new Date();
      const row = await tx.agent
        .create({ data: { ...fields, id, slug, project, created_by: actor.userId, created_at: now, updated_at: now } })
        .catch(conflictWhenTaken);
      await setRelations(tx, id, relations);
      await addToCount(tx, { project, kind: 'agents', status: row.status }, 1);
      const resource = encodeId('ag', id);
      await recordDecision(tx, { actor, action: 'agent.create', resource, project, detail: { name: row.name, slug } });
      return only(await keep(tx, actor, [id]));
    },

    /** Sets these fields, and these skills, plugins and MCP servers in their order when given. Without any, the record stays as it is. */
    async change(
      tx: Tx,
      { project, actor }: Caller,
      target: Target,
      fields: AgentFieldChanges,
      relations: AgentRelations,
    ): Promise<Versioned<Agent>> {
      const current = await lockRecord(tx, 'agents', project, decodeId('ag', target.id), target.ifMatch);
      const given = (Object.keys(fields) as (keyof AgentFieldChanges)[]).filter((field) => fields[field] !== undefined);
      const { skills, plugins, servers } = relations;
      const related = [skills && 'skill_ids', plugins && 'plugin_ids', servers && 'mcp_server_ids'];
      const changed = [...given, ...related.filter((field) => field !== undefined)];
      if (changed.length === 0) return only(await readAll(tx, [current.id]));
      const row = await tx.agent
        .update({ where: { id: current.id }, data: { ...fields, version: { increment: 1 }, updated_at: new Date() } })
        .catch(conflictWhenTaken);
      await setRelations(tx, current.id, relations);
      await moveCount(tx, { project, kind: 'agents', status: current.status }, row.status);
      await recordDecision(tx, {
        actor,
        action: 'agent.update',
        resource: target.id,
        project,
        detail: { fields: changed },
      });
      return only(await keep(tx, actor, [current.id]));
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

function only<Found>([found]: readonly Found[]): Found {
  if (found === undefined) throw new Error('the record is gone though its row is held');
  return found;
}

/** How many candidates are looked up at first. */
const SLUGS_AT_FIRST = 8;

/** A slug that no agent of the installation has; others who could come to want the same one wait for this transaction. */
async function reserveSlug(tx: Tx, base: string): Promise<string> {
  const stem = base.replace(/(-\d+)+$/, '');
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`agent-slug:${stem}`}, 0))`;
  for (let count = SLUGS_AT_FIRST; ; count *= 8) {
    const candidates = slugCandidates(base, count);
    const rows = await tx.agent.findMany({ where: { slug: { in: candidates } }, select: { slug: true } });
    const taken = new Set(rows.map(({ slug }) => slug));
    const free = candidates.find((slug) => !taken.has(slug));
    if (free !== undefined) return free;
  }
}
