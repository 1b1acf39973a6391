import type { Project } from '@millwright/auth';
import { decodeId, Prisma, type Tx } from '@millwright/db';

/** UUIDs in the wanted order; `undefined` leaves the linked records unchanged. */
export interface AgentRelations {
  skills?: readonly string[] | undefined;
  plugins?: readonly string[] | undefined;
  servers?: readonly string[] | undefined;
  /** Agents that the agent may call. */
  callees?: readonly string[] | undefined;
}

/**
 * Links an agent with the given records of one kind, in the given order, and removes its links to all other records of
 * that kind.
 */
async function setLinks(tx: Tx, agentUuid: string, kind: Used, uuids: readonly string[]): Promise<void> {
  const { links, column } = USES[kind];
  const [table, used] = [Prisma.raw(links), Prisma.raw(column)];
  await tx.$executeRaw`DELETE FROM ${table} WHERE agent_id = ${agentUuid}::uuid AND ${used} <> ALL(${uuids}::uuid[])`;
  await tx.$executeRaw`
    INSERT INTO ${table} (agent_id, ${used}, position)
    SELECT ${agentUuid}::uuid, link.id, link.place - 1 FROM unnest(${uuids}::uuid[]) WITH ORDINALITY AS link (id, place)
    ON CONFLICT (agent_id, ${used}) DO UPDATE SET position = excluded.position`;
}

/** Replaces the records of each given kind that an agent uses, in the given order. */
export async function setAgentRelations(
  tx: Tx,
  agentUuid: string,
  { skills, plugins, servers, callees }: AgentRelations,
) {
  if (skills) await setLinks(tx, agentUuid, 'skills', skills);
  if (plugins) await setLinks(tx, agentUuid, 'plugins', plugins);
  if (servers) await setLinks(tx, agentUuid, 'mcp_servers', servers);
  if (callees) await setLinks(tx, agentUuid, 'agents', callees);
}

/** The tables of records that agents use, and the tables that link them. */
export const USES = {
  skills: { prefix: 'sk', links: 'agent_skills', column: 'skill_id' },
  plugins: { prefix: 'pl', links: 'agent_plugins', column: 'plugin_id' },
  mcp_servers: { prefix: 'ms', links: 'agent_mcp_servers', column: 'server_id' },
  agents: { prefix: 'ag', links: 'agent_callees', column: 'callee_id' },
} as const;
export type Used = keyof typeof USES;

/**
 * Returns the UUIDs of those ids that exist in the project. The records cannot be deleted until the transaction ends.
 */
export async function resolveUsed(
  tx: Tx,
  kind: Used,
  project: Project,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const byUuid = new Map(ids.map((id) => [decodeId(USES[kind].prefix, id), id]));
  const uuids = [...byUuid.keys()].filter((uuid) => uuid !== undefined);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM ${Prisma.raw(kind)} WHERE project = ${project} AND id = ANY(${uuids}::uuid[])
     ORDER BY id FOR KEY SHARE`;
  return new Map(rows.map((row) => [byUuid.get(row.id) ?? '', row.id]));
}
