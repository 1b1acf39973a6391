import { encodeId, type Database } from '@millwright/db';
import { contains, listPage, MOST_COUNTED, offsetOf, type Condition } from '@millwright/records';
import type { ListQuery } from './applications.contract.js';

interface Row {
  id: string;
  client_id: string;
  name: string;
  kind: string;
  project: string | null;
  redirect_uris: string[];
  scopes: string[];
  made_by_key: boolean;
  created_at: Date;
  last_used_at: Date | null;
  approved_at: Date | null;
  approved_by: string | null;
  owner: { id: string; name: string; email: string; role: string } | null;
}

const SOURCE = {
  name: 'applications',
  table: 'oauth_clients',
  columns: `r.id, r.client_id, r.name, r.kind, r.project, r.redirect_uris, r.scopes, r.made_by_key, r.created_at, r.last_used_at, r.approved_at,
    a.name AS approved_by,
    CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role) END AS owner`,
  join: 'LEFT JOIN users u ON u.id = r.user_id LEFT JOIN users a ON a.id = r.approved_by',
};

/**
 * SQL condition of live clients: not revoked and not expired. An expired client metadata document counts as live, because it is read again
 * at its next use.
 */
const IS_LIVE: Condition = {
  sql: () => `r.revoked_at IS NULL AND (r.kind = 'document' OR r.expires_at IS NULL OR r.expires_at > now())`,
};

/** SQL conditions by approval state: the state that the consent page shows to users who do not own the client. */
const BY_APPROVAL: Readonly<Record<NonNullable<ListQuery['approval']>, Condition>> = {
  approved: { name: 'approved', sql: () => 'r.approved_at IS NOT NULL' },
  unverified: {
    name: 'unverified',
    sql: () =>
      `r.approved_at IS NULL AND (r.made_by_key OR NOT EXISTS (SELECT FROM users m WHERE m.id = r.user_id AND m.role = 'admin'))`,
  },
};

/** Creates a store that lists the OAuth clients of the installation, for admins. */
export function createApplicationStore(db: Database) {
  return {
    async list({ page, per_page, search, approval }: ListQuery) {
      const conditions = [IS_LIVE];
      if (approval) conditions.push(BY_APPROVAL[approval]);
      if (search?.trim()) conditions.push(contains(['r.name', 'r.client_id'], search.trim()));
      const range = { limit: per_page, offset: offsetOf(page, per_page), mostCounted: MOST_COUNTED };
      const request = { conditions, sort: 'created_at', direction: 'desc' as const, ...range };
      const { rows, total } = await listPage<Row>(db.reads, SOURCE, request);
      return { items: rows.map(toApplication), total };
    },
  };
}
export type ApplicationStore = ReturnType<typeof createApplicationStore>;

const toApplication = ({ owner, ...row }: Row) => ({
  ...row,
  id: encodeId('cli', row.id),
  owner: owner && { ...owner, id: encodeId('usr', owner.id) },
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  approved_at: row.approved_at?.toISOString() ?? null,
});
