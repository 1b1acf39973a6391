import type { Project } from '@millwright/auth/projects';
import { Prisma, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';

/**
 * The kinds of records that people make in a project, by table. A project that has any such record cannot be deleted.
 */
export const CONTENTS = {
  users: { noun: 'active members', condition: "status = 'active'" },
  agents: { noun: 'agents' },
  artifacts: { noun: 'artifacts' },
  blocks: { noun: 'blocks' },
  budgets: { noun: 'budgets', condition: "level <> 'run'" },
  content_items: { noun: 'content items' },
  // admin-auth may not read the table of files. It reads the usage of files instead.
  files: { noun: 'files', from: 'quota_usage', condition: "kind = 'files' HAVING sum(rows) > 0" },
  knowledge_sources: { noun: 'knowledge sources' },
  mcp_servers: { noun: 'MCP servers' },
  models: { noun: 'models' },
  plugins: { noun: 'plugins' },
  prompts: { noun: 'prompts', condition: 'deleted_at IS NULL' },
  skills: { noun: 'skills' },
  triggers: { noun: 'triggers', condition: 'deleted_at IS NULL' },
  webhooks: { noun: 'webhooks', condition: 'deleted_at IS NULL' },
} as const;

interface Content {
  noun: string;
  condition?: string;
  /** The table that is read instead of the table of the records. */
  from?: string;
}

const partOf = (
  project: Project,
  [table, { noun, condition = 'true', from = table }]: [string, Content],
): Prisma.Sql => Prisma.sql`
  SELECT ${noun}::text AS noun WHERE EXISTS (
    SELECT FROM ${Prisma.raw(from)} WHERE project = ${project} AND ${Prisma.raw(condition)})`;

/** Requires that a project has no members and no records that people made. @throws AppError conflict that lists the kinds that are left. */
export async function requireEmpty(tx: Tx, project: Project): Promise<void> {
  const parts = Object.entries<Content>(CONTENTS).map((content) => partOf(project, content));
  const left = await tx.$queryRaw<{ noun: string }[]>(Prisma.join(parts, ' UNION ALL '));
  if (left.length === 0) return;
  const nouns = left.map(({ noun }) => noun).join(', ');
  throw new AppError('conflict', {
    fields: [{ field: 'project', reason: `still has ${nouns}; move its members and delete its records first` }],
  });
}

/**
 * Revokes the credentials that are left in a project without members. All of them belong to admins. Returns how many
 * credentials of each kind it revoked.
 */
export async function revokeOfProject(tx: Tx, project: Project) {
  const now = new Date();
  const live = { project, revoked_at: null };
  const devices = await tx.device.updateMany({ where: { revoked_at: null, key: live }, data: { revoked_at: now } });
  const keys = await tx.userApiKey.updateMany({ where: live, data: { revoked_at: now } });
  const clients = await tx.oAuthClient.updateMany({ where: live, data: { revoked_at: now } });
  const grants = await tx.oAuthGrant.updateMany({ where: live, data: { revoked_at: now } });
  const codes = await tx.deviceLinkCode.updateMany({
    where: { ...live, used_at: null, expires_at: { gt: now } },
    data: { revoked_at: now },
  });
  return {
    devices: devices.count,
    keys: keys.count,
    oauth_clients: clients.count,
    oauth_grants: grants.count,
    codes: codes.count,
  };
}
