import type { Project } from '@millwright/auth';
import { VERSIONED } from '@millwright/catalog';
import { decodeId, encodeId, type Database } from '@millwright/db';
import { equals, listPage, partOf } from '@millwright/records';
import type { PageQuery } from '../lists/list.contract.js';
import type { Version } from './versions.contract.js';

interface VersionRow {
  version: number;
  state: unknown;
  changed: string[];
  created_by: string;
  actor_kind: Version['by']['actor_kind'];
  actor_id: string;
  created_at: Date;
}

type VersionedKind = keyof typeof VERSIONED;

const COLUMNS = 'v.version, v.state, v.changed, v.created_by, v.actor_kind, v.actor_id, v.created_at';

function toVersion({ version, state, changed, created_at, ...row }: VersionRow): Version {
  const by = { user_id: encodeId('usr', row.created_by), actor_kind: row.actor_kind, actor_id: row.actor_id };
  return { version, at: created_at.toISOString(), by, changed, state };
}

/** Earlier versions of skills and agents. Every function reads and changes only one project. */
export function createVersionStore(db: Database) {
  return {
    async find(kind: VersionedKind, project: Project, id: string, version: number): Promise<Version | undefined> {
      const { prefix, records, versions, key } = VERSIONED[kind];
      const uuid = decodeId(prefix, id);
      if (!uuid) return undefined;
      const text = `SELECT ${COLUMNS} FROM ${versions} v JOIN ${records} r ON r.id = v.${key}
        WHERE r.id = $1 AND r.project = $2 AND v.version = $3`;
      const [row] = await db.prepared<VersionRow>(`find-${kind}-version`, text, [uuid, project, version]);
      return row && toVersion(row);
    },

    /** Lists the versions, newest first; `undefined` when the record does not exist. */
    async list(kind: VersionedKind, project: Project, id: string, { page, per_page, skip }: PageQuery) {
      const { prefix, records, versions, key } = VERSIONED[kind];
      const uuid = decodeId(prefix, id);
      if (!uuid) return undefined;
      const found = `SELECT 1 FROM ${records} WHERE id = $1 AND project = $2`;
      const [record] = await db.prepared(`has-${kind}-versions`, found, [uuid, project]);
      if (!record) return undefined;
      const { rows, ...listed } = await listPage<VersionRow>(
        db.reads,
        {
          name: `${kind}-versions`,
          table: versions,
          alias: 'v',
          columns: COLUMNS,
          bytes: 'octet_length(v.state::text)',
          key: [key, 'version'],
        },
        {
          conditions: [equals(`v.${key}`, uuid)],
          sort: 'version',
          direction: 'desc',
          ...partOf(page, per_page, skip),
        },
      );
      return { ...listed, items: rows.map(toVersion), page, per_page };
    },
  };
}
export type VersionStore = ReturnType<typeof createVersionStore>;
