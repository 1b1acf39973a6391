import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { addToCount, type Database, type Target, type Tx } from '@millwright/db';
import type { ListQuery } from '../metadata/list.contract.js';
import { listPage } from '../metadata/list.store.js';
import { METADATA_COLUMNS, toMetadata, type MetadataRow } from '../metadata/metadata.store.js';
import { changeRecord, findRecord, newRecord, removeRecord } from '../metadata/records.store.js';
import type { Artifact, ArtifactChanges, NewArtifact } from './artifacts.contract.js';

interface ArtifactRow extends MetadataRow {
  id: string;
  content: string;
}

const ARTIFACTS = {
  kind: 'artifacts',
  name: 'artifact',
  columns: `r.id, r.content, ${METADATA_COLUMNS}`,
} as const;

function toArtifact(row: ArtifactRow): Artifact {
  const { id, content } = row;
  return { id, content, metadata: toMetadata(row), _link: `/v1/artifact/${id}` };
}

/** The only file that reads and writes artifacts. Every function sees one project and nothing else. */
export function createArtifactStore(db: Database) {
  return {
    async find(project: Project, id: string): Promise<Artifact | undefined> {
      const row = await findRecord<ArtifactRow>(db, ARTIFACTS, project, id);
      return row && toArtifact(row);
    },

    async list(project: Project, query: ListQuery): Promise<{ artifacts: Artifact[]; total: number }> {
      const { rows, total } = await listPage<ArtifactRow>(db, ARTIFACTS, project, query);
      return { artifacts: rows.map(toArtifact), total };
    },

    async create(tx: Tx, caller: Caller, { content, metadata }: NewArtifact): Promise<Artifact> {
      const { project, actor } = caller;
      const row = await tx.artifact.create({ data: { ...newRecord(caller, metadata), content } });
      await addToCount(tx, { project, kind: 'artifacts', status: row.status }, 1);
      const detail = { title: row.title };
      await recordDecision(tx, { actor, action: 'artifact.create', resource: row.id, project, detail });
      return toArtifact(row);
    },

    /** @throws AppError not_found, precondition_failed, conflict when `metadata.version` is not current. */
    update: async (tx: Tx, caller: Caller, target: Target, changes: ArtifactChanges): Promise<Artifact> =>
      toArtifact(
        await changeRecord(tx, caller, ARTIFACTS, target, changes, (id, data) =>
          tx.artifact.update({ where: { id }, data }),
        ),
      ),

    /** @throws AppError not_found, precondition_failed */
    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> =>
      removeRecord(tx, caller, ARTIFACTS, target, (id) => tx.artifact.delete({ where: { id } })),
  };
}
export type ArtifactStore = ReturnType<typeof createArtifactStore>;
