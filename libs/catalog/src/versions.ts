import type { Actor } from '@millwright/audit';
import { decodeId, type Tx } from '@millwright/db';

/** What keeps its past versions, and where. */
export const VERSIONED = {
  skill: { prefix: 'sk', records: 'skills', versions: 'skill_versions', key: 'skill_id' },
  agent: { prefix: 'ag', records: 'agents', versions: 'agent_versions', key: 'agent_id' },
} as const;
export type VersionedKind = keyof typeof VERSIONED;

/** A record as it stands after a change. */
interface NewVersion {
  record: { id: string; updated_at: string };
  version: number;
  state: object;
}

/** Keeps what records are after a change, in its transaction, while their rows are held. What differs is told by comparing. */
export async function keepVersions(
  tx: Tx,
  kind: VersionedKind,
  actor: Actor,
  versions: readonly NewVersion[],
): Promise<void> {
  const { versions: table, key, prefix } = VERSIONED[kind];
  await tx.$executeRawUnsafe(
    `INSERT INTO ${table} (${key}, version, state, changed, created_by, actor_kind, actor_id, created_at)
     SELECT n.id, n.version, n.state::json,
            ARRAY(SELECT f.key FROM json_each(n.state::json) WITH ORDINALITY f(key, value, place)
                   WHERE (p.state->f.key)::text IS DISTINCT FROM f.value::text ORDER BY f.place),
            $5::uuid, $6, $7, n.at
       FROM unnest($1::uuid[], $2::int[], $3::text[], $4::timestamptz[]) n(id, version, state, at)
       LEFT JOIN LATERAL (SELECT state FROM ${table} WHERE ${key} = n.id ORDER BY version DESC LIMIT 1) p ON true`,
    versions.map(({ record }) => decodeId(prefix, record.id)),
    versions.map(({ version }) => version),
    versions.map(({ state }) => JSON.stringify(state)),
    versions.map(({ record }) => record.updated_at),
    actor.userId,
    actor.kind,
    actor.label,
  );
}
