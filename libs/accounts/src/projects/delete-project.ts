import type { Project } from '@millwright/auth/projects';
import type { Tx } from '@millwright/db';
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
  files: { noun: 'files', instead: "quota_usage WHERE project = $1 AND kind = 'files' HAVING sum(rows) > 0" },
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
  /** SQL that is read instead of the table. */
  instead?: string;
}

const PARTS = Object.entries<Content>(CONTENTS).map(
  ([table, { noun, condition = 'true', instead = `${table} WHERE project = $1 AND ${condition}` }]) =>
    `SELECT '${noun}' AS noun WHERE EXISTS (SELECT FROM ${instead})`,
);

/** @throws AppError conflict naming the kinds of records that are left. */
export async function requireEmpty(tx: Tx, project: Project): Promise<void> {
  const left = await tx.$queryRawUnsafe<{ noun: string }[]>(PARTS.join(' UNION ALL '), project);
  if (left.length === 0) return;
  const nouns = left.map(({ noun }) => noun).join(', ');
  throw new AppError('conflict', {
    fields: [{ field: 'project', reason: `still has ${nouns}; move its members and delete its records first` }],
  });
}

/**
 * Revokes the credentials that are left in a project without members: they belong to admins. Returns how many
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
