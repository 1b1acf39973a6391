import type { Actor } from '@millwright/audit';
import { decodeId, Prisma, type Tx } from '@millwright/db';

/** The records that keep their past versions, and the tables of the versions. */
export const VERSIONED = {
  skill: { prefix: 'sk', records: 'skills', versions: 'skill_versions', key: 'skill_id' },
  agent: { prefix: 'ag', records: 'agents', versions: 'agent_versions', key: 'agent_id' },
} as const;
export type VersionedKind = keyof typeof VERSIONED;

/** A record's state after a change. */
interface NewVersion {
  record: { id: string; updated_at: string };
  version: number;
  state: object;
}

/**
 * Stores the state of locked records after a change, in the transaction of the change. The changed fields are found by
 * a comparison with the previous version.
 */
export async function keepVersions(
  tx: Tx,
  kind: VersionedKind,
  actor: Actor,
  versions: readonly NewVersion[],
): Promise<void> {
  const [table, id] = [Prisma.raw(VERSIONED[kind].versions), Prisma.raw(VERSIONED[kind].key)];
  const uuids = versions.map(({ record }) => decodeId(VERSIONED[kind].prefix, record.id));
  const numbers = versions.map(({ version }) => version);
  const states = versions.map(({ state }) => JSON.stringify(state));
  const times = versions.map(({ record }) => record.updated_at);
  await tx.$executeRaw`
    INSERT INTO ${table} (${id}, version, state, changed, created_by, actor_kind, actor_id, created_at)
     SELECT n.id, n.version, n.state::json,
            ARRAY(SELECT f.key FROM json_each(n.state::json) WITH ORDINALITY f(key, value, place)
                   WHERE (p.state->f.key)::text IS DISTINCT FROM f.value::text ORDER BY f.place),
            ${actor.userId}::uuid, ${actor.kind}, ${actor.label}, n.at
       FROM unnest(${uuids}::uuid[], ${numbers}::int[], ${states}::text[], ${times}::timestamptz[]) n(id, version, state, at)
       LEFT JOIN LATERAL (SELECT state FROM ${table} WHERE ${id} = n.id ORDER BY version DESC LIMIT 1) p ON true`;
}
