import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import {
  addToCount,
  conflictWhenTaken,
  encodeId,
  moveCount,
  newId,
  type LockedRecord,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { setAgentRelations, type AgentRelations } from './agent-relations.js';
import { holdSlug, reserveSlug } from './agent-slug.js';
import { slugify } from './slug.js';
import { keepVersions } from './versions.js';

export interface AgentRow {
  id: string;
  name: string;
  slug: string;
  description: string;
  instructions: string;
  model: string | null;
  status: string;
  published: boolean;
  is_default: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
  content_tags: string[];
  mcp_tools: string[];
  skill_uuids: string[];
  plugin_uuids: string[];
  server_uuids: string[];
}

/** Select list of an agent, with `r` its row. */
export const AGENT_COLUMNS = `r.id, r.name, r.slug, r.description, r.instructions, r.model, r.status, r.published, r.version, r.created_at, r.updated_at,
  r.content_tags, r.mcp_tools, EXISTS (SELECT FROM default_agent d WHERE d.agent_id = r.id) AS is_default,
  ARRAY(SELECT l.skill_id::text FROM agent_skills l WHERE l.agent_id = r.id ORDER BY l.position, l.skill_id) AS skill_uuids,
  ARRAY(SELECT l.plugin_id::text FROM agent_plugins l WHERE l.agent_id = r.id ORDER BY l.position, l.plugin_id) AS plugin_uuids,
  ARRAY(SELECT l.server_id::text FROM agent_mcp_servers l WHERE l.agent_id = r.id ORDER BY l.position, l.server_id) AS server_uuids`;

/** An agent as area B shows it, and as its versions keep it. */
export function toAgentRecord(row: AgentRow) {
  const { name, slug, description, instructions, model, published, is_default, content_tags, mcp_tools, version } = row;
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
      mcp_tools,
      model,
      instructions,
      status: row.status === 'active' ? ('active' as const) : ('inactive' as const),
      published,
      is_default,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    },
  };
}
export type AgentRecord = ReturnType<typeof toAgentRecord>['record'];

/** What requests set, by column. */
export interface AgentFields {
  name: string;
  description: string;
  instructions: string;
  model?: string | null | undefined;
  status?: string | undefined;
  published?: boolean | undefined;
  content_tags?: string[] | undefined;
  mcp_tools?: string[] | undefined;
}

/**
 * Creates an agent with its count, its audit row and its first version. Its slug is made from its name where none is wished for.
 *
 * @throws AppError conflict when the project has an agent of that name, or the installation one of the slug wished for.
 */
export async function createAgentRecord(
  tx: Tx,
  { project, actor }: Caller,
  { slug: wished, ...fields }: AgentFields & { slug?: string | undefined },
  relations: AgentRelations = {},
): Promise<Versioned<AgentRecord>> {
  const id = newId();
  const resource = encodeId('ag', id);
  if (wished !== undefined) await holdSlug(tx, wished);
  const slug = wished ?? (await reserveSlug(tx, slugify(fields.name) || resource));
  const now = new Date();
  const data = { ...given(fields), id, slug, project, created_by: actor.userId, created_at: now, updated_at: now };
  const row = await tx.agent.create({ data }).catch(conflictWhenTaken);
  await setAgentRelations(tx, id, relations);
  await addToCount(tx, { project, kind: 'agents', status: row.status }, 1);
  await recordDecision(tx, { actor, action: 'agent.create', resource, project, detail: { name: row.name, slug } });
  return only(await keep(tx, actor, [id]));
}

/**
 * Sets these fields of an agent whose row is held, and these skills, plugins and MCP servers in their order when given. Without any,
 * the record stays as it is.
 *
 * @throws AppError conflict when the project has another agent of that name.
 */
export async function changeAgentRecord(
  tx: Tx,
  { project, actor }: Caller,
  current: LockedRecord,
  fields: Partial<AgentFields>,
  relations: AgentRelations = {},
): Promise<Versioned<AgentRecord>> {
  const changes = given(fields);
  const { skills, plugins, servers } = relations;
  const related = [skills && 'skill_ids', plugins && 'plugin_ids', servers && 'mcp_server_ids'];
  const changed = [...Object.keys(changes), ...related.filter((field) => field !== undefined)];
  if (changed.length === 0) return readAgentRecord(tx, current.id);
  const data = { ...changes, version: { increment: 1 }, updated_at: new Date() };
  const row = await tx.agent.update({ where: { id: current.id }, data }).catch(conflictWhenTaken);
  await setAgentRelations(tx, current.id, relations);
  await moveCount(tx, { project, kind: 'agents', status: current.status }, row.status);
  const resource = encodeId('ag', current.id);
  await recordDecision(tx, { actor, action: 'agent.update', resource, project, detail: { fields: changed } });
  return only(await keep(tx, actor, [current.id]));
}

/** An agent whose row is held, as it is now. */
export const readAgentRecord = async (tx: Tx, uuid: string): Promise<Versioned<AgentRecord>> =>
  only(await read(tx, [uuid]));

/** Raises the versions of these agents, which just lost or gained something they use, and keeps the new ones. */
export async function raiseAgents(tx: Tx, actor: Caller['actor'], uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  // In one order, so that two that raise the same agents never wait for each other.
  await tx.$queryRaw`SELECT 1 FROM agents WHERE id = ANY(${uuids}::uuid[]) ORDER BY id FOR UPDATE`;
  const data = { version: { increment: 1 }, updated_at: new Date() };
  await tx.agent.updateMany({ where: { id: { in: [...uuids] } }, data });
  await keep(tx, actor, uuids);
}

async function read(tx: Tx, uuids: readonly string[]): Promise<Versioned<AgentRecord>[]> {
  const text = `SELECT ${AGENT_COLUMNS} FROM agents r WHERE r.id = ANY($1::uuid[])`;
  return (await tx.$queryRawUnsafe<AgentRow[]>(text, uuids)).map(toAgentRecord);
}

/** Keeps the versions that these agents have now: what requests may set. */
async function keep(tx: Tx, actor: Caller['actor'], uuids: readonly string[]): Promise<Versioned<AgentRecord>[]> {
  const agents = await read(tx, uuids);
  // What is undefined is left out of the JSON that is kept.
  const unset = { id: undefined, slug: undefined, is_default: undefined, created_at: undefined, updated_at: undefined };
  const versions = agents.map((agent) => ({ ...agent, state: { ...agent.record, ...unset } }));
  await keepVersions(tx, 'agent', actor, versions);
  return agents;
}

type Given<Fields> = { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };

/** Without the fields of which nothing is said. */
function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

function only<Found>([found]: readonly Found[]): Found {
  if (found === undefined) throw new Error('the record is gone though its row is held');
  return found;
}
