import type { Caller } from '@millwright/auth';
import {
  encodeId,
  jsonColumn,
  newId,
  Prisma,
  type LockedRecord,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { readParameters, type ModelParameters } from '@millwright/models/parameters';
import { defineRecords } from '@millwright/records';
import { lockSlug, reserveSlug, slugify } from '../slug.js';
import { keepVersions } from '../versions.store.js';
import { setAgentRelations, USES, type AgentRelations, type Used } from './agent-relations.store.js';
import type { Agent } from './agents.schema.js';
import { keepVersionsUnderWay } from './deleted-versions.store.js';

interface AgentRow {
  id: string;
  name: string;
  slug: string;
  description: string;
  instructions: string;
  model: string | null;
  model_parameters: unknown;
  status: string;
  published: boolean;
  is_default: boolean;
  on_unknown: 'ask' | 'tell' | 'fail';
  stopped_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  content_tags: string[];
  mcp_tools: string[];
  ask_tools: string[];
  skill_uuids: string[];
  plugin_uuids: string[];
  server_uuids: string[];
  callee_uuids: string[];
}

const COLUMNS = `r.id, r.name, r.slug, r.description, r.instructions, r.model, r.model_parameters, r.status, r.published, r.version, r.created_at, r.updated_at,
  r.content_tags, r.mcp_tools, r.ask_tools, r.on_unknown, r.stopped_at, EXISTS (SELECT FROM default_agent d WHERE d.agent_id = r.id) AS is_default,
  ARRAY(SELECT l.skill_id::text FROM agent_skills l WHERE l.agent_id = r.id ORDER BY l.position, l.skill_id) AS skill_uuids,
  ARRAY(SELECT l.plugin_id::text FROM agent_plugins l WHERE l.agent_id = r.id ORDER BY l.position, l.plugin_id) AS plugin_uuids,
  ARRAY(SELECT l.server_id::text FROM agent_mcp_servers l WHERE l.agent_id = r.id ORDER BY l.position, l.server_id) AS server_uuids,
  ARRAY(SELECT l.callee_id::text FROM agent_callees l WHERE l.agent_id = r.id ORDER BY l.position, l.callee_id) AS callee_uuids`;

function toResponse(row: AgentRow): Agent {
  const { name, slug, description, instructions, model, published, is_default, content_tags, mcp_tools, ask_tools } =
    row;
  return {
    id: encodeId('ag', row.id),
    name,
    slug,
    description,
    skill_ids: row.skill_uuids.map((uuid) => encodeId('sk', uuid)),
    plugin_ids: row.plugin_uuids.map((uuid) => encodeId('pl', uuid)),
    content_tags,
    mcp_server_ids: row.server_uuids.map((uuid) => encodeId('ms', uuid)),
    agent_ids: row.callee_uuids.map((uuid) => encodeId('ag', uuid)),
    mcp_tools,
    ask_tools,
    model,
    model_parameters: readParameters(row.model_parameters),
    instructions,
    status: row.status === 'active' ? 'active' : 'inactive',
    on_unknown: row.on_unknown,
    stopped_at: row.stopped_at?.toISOString() ?? null,
    published,
    is_default,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Agents in the form of the platform API's answers and of their stored versions. */
export const AGENTS = defineRecords<AgentRow, Agent>({
  table: 'agents',
  prefix: 'ag',
  noun: 'agent',
  columns: COLUMNS,
  bytes: 'octet_length(r.instructions) + octet_length(r.description)',
  toResponse,
});

/** The columns that requests set. */
export interface AgentFields {
  name: string;
  description: string;
  instructions: string;
  model?: string | null | undefined;
  model_parameters?: ModelParameters | undefined;
  status?: string | undefined;
  published: boolean;
  content_tags?: string[] | undefined;
  mcp_tools?: string[] | undefined;
  ask_tools?: string[] | undefined;
  on_unknown?: string | undefined;
}

const columnsOf = <Fields extends Partial<AgentFields>>({ model_parameters: parameters, ...fields }: Fields) => ({
  ...fields,
  ...(parameters && { model_parameters: jsonColumn(parameters) }),
});

const SLUGS = 'agent-slug';

/**
 * Creates an agent, its first version and its audit row, and increments the total of agents. The slug is derived from the name unless the
 * request states a slug.
 *
 * @throws AppError conflict when the project has an agent of that name, or the installation has an agent of the requested slug.
 */
export async function createAgentRecord(
  tx: Tx,
  caller: Caller,
  { slug: requested, ...fields }: AgentFields & { slug?: string | undefined },
  relations: AgentRelations = {},
): Promise<Versioned<Agent>> {
  const id = newId();
  if (requested !== undefined) await lockSlug(tx, SLUGS, requested);
  const slug =
    requested ??
    (await reserveSlug(tx, SLUGS, slugify(fields.name) || AGENTS.idOf(id), (candidates) =>
      tx.agent.findMany({ where: { slug: { in: candidates } }, select: { slug: true } }),
    ));
  await AGENTS.create(
    tx,
    caller,
    async (columns) => {
      const row = await tx.agent.create({ data: { ...columnsOf(fields), ...columns, slug } });
      await setAgentRelations(tx, id, relations);
      return row;
    },
    ({ name }) => ({ name, slug }),
    id,
  );
  return only(await keep(tx, caller.actor, [id]));
}

/**
 * Sets the given fields of a locked agent. Skills, plugins, MCP servers and callees are replaced, in the given order,
 * when they are given. When no field is given, the record stays unchanged.
 *
 * @throws AppError conflict when the project has another agent of that name.
 */
export async function changeAgentRecord(
  tx: Tx,
  caller: Caller,
  current: LockedRecord,
  changes: Partial<AgentFields>,
  relations: AgentRelations = {},
): Promise<Versioned<Agent>> {
  const set = Object.entries({
    ...changes,
    skill_ids: relations.skills,
    plugin_ids: relations.plugins,
    mcp_server_ids: relations.servers,
    agent_ids: relations.callees,
  });
  const fields = set.filter(([, value]) => value !== undefined).map(([name]) => name);
  if (fields.length === 0) return readAgentRecord(tx, current.id);
  await AGENTS.change(
    tx,
    caller,
    current,
    async (next) => {
      const row = await tx.agent.update({ where: { id: current.id }, data: { ...columnsOf(changes), ...next } });
      await setAgentRelations(tx, current.id, relations);
      return row;
    },
    () => ({ fields }),
  );
  return only(await keep(tx, caller.actor, [current.id]));
}

/** Reads the current state of an agent that the caller has locked. */
export const readAgentRecord = async (tx: Tx, uuid: string): Promise<Versioned<Agent>> => only(await read(tx, [uuid]));

/**
 * Locks an agent and the agents that it may call. The order of locks is always the same, so that agents that call each
 * other may be changed concurrently.
 */
export async function lockWithCallees(tx: Tx, id: string, calleeIds: readonly string[]): Promise<void> {
  const uuids = [id, ...calleeIds].flatMap((one) => AGENTS.uuidOf(one) ?? []);
  await tx.$queryRaw`SELECT 1 FROM agents WHERE id = ANY(${uuids}::uuid[]) ORDER BY id FOR UPDATE`;
}

/** Stores the next version of agents that have gained or lost a record that they use. */
export async function bumpAgentVersions(tx: Tx, actor: Caller['actor'], uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  // All transactions lock in one order, so that two transactions that change the same agents never wait for each other.
  await tx.$queryRaw`SELECT 1 FROM agents WHERE id = ANY(${uuids}::uuid[]) ORDER BY id FOR UPDATE`;
  await tx.agent.updateMany({ where: { id: { in: [...uuids] } }, data: { version: { increment: 1 } } });
  await keep(tx, actor, uuids);
}

/** Functions for one kind of record that agents use: one reads the UUID of an id, the other locks and removes the record. */
interface UsedRecords {
  uuidOf: (id: string) => string | undefined;
  remove: (
    tx: Tx,
    caller: Caller,
    target: Target,
    erase: (locked: { id: string }) => Promise<unknown>,
  ) => Promise<void>;
}

/**
 * Deletes a record that agents use, and stores the next version of these agents. Locks the agents before the record. A change that removes
 * the record from an agent locks in the same order, so that the two transactions never deadlock. When the record is an agent, it is locked
 * together with the agents that call it.
 */
export async function removeUsed(
  tx: Tx,
  caller: Caller,
  target: Target,
  kind: Used,
  records: UsedRecords,
  before: (id: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const { links, column } = USES[kind];
  const uuid = records.uuidOf(target.id) ?? null;
  await tx.$queryRaw`
    SELECT 1 FROM agents WHERE project = ${caller.project} AND id = ANY(ARRAY(
      SELECT ${uuid}::uuid UNION SELECT agent_id FROM ${Prisma.raw(links)} WHERE ${Prisma.raw(column)} = ${uuid}::uuid))
     ORDER BY id FOR UPDATE`;
  await records.remove(tx, caller, target, async ({ id }) => {
    await before(id);
    await deleteUsed(tx, caller.actor, kind, id);
  });
}

/**
 * Deletes an agent, and removes it from the agents that call it. Runs that have begun finish on their version. The
 * agent's conversations become inaccessible at once; a job deletes them later, because one statement could exceed its
 * time limit.
 */
export const removeAgentRecord = (tx: Tx, caller: Caller, target: Target): Promise<void> =>
  removeUsed(tx, caller, target, 'agents', AGENTS, async (id) => {
    const { record } = await readAgentRecord(tx, id);
    await tx.$executeRaw`INSERT INTO deleted_agents (id) VALUES (${id}::uuid)`;
    await keepVersionsUnderWay(tx, id, record);
  });

async function deleteUsed(tx: Tx, actor: Caller['actor'], kind: Used, uuid: string): Promise<void> {
  const { links, column } = USES[kind];
  const users = await tx.$queryRaw<{ agent_id: string }[]>`
    SELECT agent_id FROM ${Prisma.raw(links)} WHERE ${Prisma.raw(column)} = ${uuid}::uuid`;
  await tx.$executeRaw`DELETE FROM ${Prisma.raw(kind)} WHERE id = ${uuid}::uuid`;
  await bumpAgentVersions(
    tx,
    actor,
    users.map(({ agent_id }) => agent_id),
  );
}

async function read(tx: Tx, uuids: readonly string[]): Promise<Versioned<Agent>[]> {
  const rows = await tx.$queryRaw<AgentRow[]>`
    SELECT ${Prisma.raw(COLUMNS)} FROM agents r WHERE r.id = ANY(${uuids}::uuid[])`;
  return rows.map(AGENTS.toVersioned);
}

/** Stores the current versions of these agents: the fields that requests may set. */
async function keep(tx: Tx, actor: Caller['actor'], uuids: readonly string[]): Promise<Versioned<Agent>[]> {
  const agents = await read(tx, uuids);
  // JSON omits fields that are `undefined`, so versions are stored without them.
  const times = { stopped_at: undefined, created_at: undefined, updated_at: undefined };
  const unset = { id: undefined, slug: undefined, is_default: undefined, ...times };
  const versions = agents.map((agent) => ({ ...agent, state: { ...agent.record, ...unset } }));
  await keepVersions(tx, 'agent', actor, versions);
  return agents;
}

function only<Found>([found]: readonly Found[]): Found {
  if (found === undefined) throw new Error('the record is gone though its row is locked');
  return found;
}
