import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { addToCount, lockRecord, moveCount, newId, type Database, type Target, type Tx } from '@millwright/db';
import type { ListQuery } from '../metadata/list.contract.js';
import { listPage } from '../metadata/list.store.js';
import {
  changedColumns,
  METADATA_COLUMNS,
  metadataColumns,
  toMetadata,
  withoutUndefined,
  type MetadataRow,
} from '../metadata/metadata.store.js';
import type { Artifact, ArtifactChanges, NewArtifact } from './artifacts.contract.js';

interface ArtifactRow extends MetadataRow {
  id: string;
  content: string;
}

const COLUMNS = `r.id, r.content, ${METADATA_COLUMNS}`;

function toArtifact(row: ArtifactRow): Artifact {
  const { id, content } = row;
  return { id, content, metadata: toMetadata(row), _link: `/v1/artifact/${id}` };
}

/** The only file that reads and writes artifacts. Every function sees one project and nothing else. */
export function createArtifactStore(db: Database) {
  return {
    async find(project: Project, id: string): Promise<Artifact | undefined> {
      const text = `SELECT ${COLUMNS} FROM artifacts r WHERE r.id = $1 AND r.project = $2`;
      const [row] = await db.prepared<ArtifactRow>('find-artifact', text, [id, project]);
      return row && toArtifact(row);
    },

    async list(project: Project, query: ListQuery): Promise<{ artifacts: Artifact[]; total: number }> {
      const { rows, total } = await listPage<ArtifactRow>(db, { kind: 'artifacts', columns: COLUMNS }, project, query);
      return { artifacts: rows.map(toArtifact), total };
    },

    async create(tx: Tx, { project, actor }: Caller, { content, metadata }: NewArtifact): Promise<Artifact> {
      const now = new Date();
      const row = await tx.artifact.create({
        data: {
          ...metadataColumns(metadata),
          content,
          project,
          id: newId(),
          author: actor.label,
          created_by: actor.userId,
          created_at: now,
          updated_at: now,
        },
      });
      await addToCount(tx, { project, kind: 'artifacts', status: row.status }, 1);
      await recordDecision(tx, {
        actor,
        action: 'artifact.create',
        resource: row.id,
        project,
        detail: { title: row.title },
      });
      return toArtifact(row);
    },

    /** @throws AppError not_found, precondition_failed, conflict when `metadata.version` is not current. */
    async update(
      tx: Tx,
      { project, actor }: Caller,
      target: Target,
      { metadata, ...changes }: ArtifactChanges,
    ): Promise<Artifact> {
      const current = await lockRecord(tx, 'artifacts', project, target.id, target.ifMatch);
      const data = { ...withoutUndefined(changes), ...changedColumns(metadata, current) };
      const row = await tx.artifact.update({
        where: { id: current.id },
        data: { ...data, version: { increment: 1 }, updated_at: new Date() },
      });
      await moveCount(tx, { project, kind: 'artifacts', status: current.status }, row.status);
      const detail = { version: row.version, fields: Object.keys(data) };
      await recordDecision(tx, { actor, action: 'artifact.update', resource: row.id, project, detail });
      return toArtifact(row);
    },

    /** @throws AppError not_found, precondition_failed */
    async remove(tx: Tx, { project, actor }: Caller, target: Target): Promise<void> {
      const current = await lockRecord(tx, 'artifacts', project, target.id, target.ifMatch);
      await tx.artifact.delete({ where: { id: current.id } });
      await addToCount(tx, { project, kind: 'artifacts', status: current.status }, -1);
      await recordDecision(tx, { actor, action: 'artifact.delete', resource: current.id, project });
    },
  };
}
export type ArtifactStore = ReturnType<typeof createArtifactStore>;
