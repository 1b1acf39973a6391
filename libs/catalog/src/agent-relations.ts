import type { Project } from '@millwright/auth';
import { decodeId, type Tx } from '@millwright/db';

/** UUIDs in their order; `undefined` where nothing is said of them. */
export interface AgentRelations {
  skills?: readonly string[] | undefined;
  plugins?: readonly string[] | undefined;
  servers?: readonly string[] | undefined;
}

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

/** Gives an agent these, in their order; those it had besides are no longer its own. */
export async function setAgentRelations(tx: Tx, agentUuid: string, { skills, plugins, servers }: AgentRelations) {
  if (skills) await setSkills(tx, agentUuid, skills);
  if (plugins) await setPlugins(tx, agentUuid, plugins);
  if (servers) await setServers(tx, agentUuid, servers);
}

/** What an agent may use, by table. */
const PREFIXES = { skills: 'sk', plugins: 'pl', mcp_servers: 'ms' } as const;
export type Used = keyof typeof PREFIXES;

/** Of these ids, those that exist in the project, with their UUIDs. They stay until the transaction ends. */
export async function resolveUsed(
  tx: Tx,
  kind: Used,
  project: Project,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const byUuid = new Map(ids.map((id) => [decodeId(PREFIXES[kind], id), id]));
  const uuids = [...byUuid.keys()].filter((uuid) => uuid !== undefined);
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM ${kind} WHERE project = $1 AND id = ANY($2::uuid[]) FOR KEY SHARE`,
    project,
    uuids,
  );
  return new Map(rows.map((row) => [byUuid.get(row.id) ?? '', row.id]));
}
