import { encodeId, type Database } from '@millwright/db';

export interface Quarantined {
  server_id: string;
  name: string;
  project: string;
  tools: number;
}

export interface ExpiringKey {
  id: string;
  name: string;
  project: string;
  expires_at: string;
  owner: { id: string; name: string };
}

/** SQL for tools that differ from their approved definition, on servers whose tools are pinned. */
const QUARANTINED = `
  SELECT s.id, s.name, s.project, count(*)::int AS tools FROM mcp_tools t JOIN mcp_servers s ON s.id = t.server_id
   WHERE s.pin_tools AND s.project = ANY($1) AND NOT (t.present AND t.approved_hash IS NOT DISTINCT FROM t.hash)
   GROUP BY s.id ORDER BY s.name, s.id LIMIT 20`;

const EXPIRES_WITHIN_DAYS = 14;

/** SQL for keys that expire soon and have no successor. */
const EXPIRING = `
  SELECT k.id, k.name, k.project, k.expires_at, u.id AS owner_id, u.name AS owner
    FROM user_api_keys k JOIN users u ON u.id = k.user_id AND u.status = 'active'
   WHERE k.kind = 'api_key' AND k.project = ANY($1) AND k.revoked_at IS NULL AND k.successor_id IS NULL
     AND k.expires_at > $2 AND k.expires_at < $2::timestamptz + interval '${EXPIRES_WITHIN_DAYS} days'
   ORDER BY k.expires_at, k.id LIMIT 20`;

export function createAttentionStore(db: Database) {
  return {
    async quarantined(projects: readonly string[]): Promise<Quarantined[]> {
      const rows = await db.reads.prepared<Omit<Quarantined, 'server_id'> & { id: string }>(
        'dashboard-quarantined',
        QUARANTINED,
        [projects],
      );
      return rows.map(({ id, ...row }) => ({ server_id: encodeId('ms', id), ...row }));
    },

    async expiringKeys(projects: readonly string[], now: Date): Promise<ExpiringKey[]> {
      const rows = await db.reads.prepared<
        Pick<ExpiringKey, 'id' | 'name' | 'project'> & { expires_at: Date; owner_id: string; owner: string }
      >('dashboard-expiring-keys', EXPIRING, [projects, now]);
      return rows.map(({ id, name, project, expires_at, owner_id, owner }) => ({
        id: encodeId('key', id),
        name,
        project,
        expires_at: expires_at.toISOString(),
        owner: { id: encodeId('usr', owner_id), name: owner },
      }));
    },
  };
}
