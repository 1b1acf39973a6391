import type { Caller, Project } from '@millwright/auth';
import type { Database, Target, Tx, Versioned } from '@millwright/db';
import { defineRecords } from '@millwright/records';
import type { ListQuery } from '../metadata/list.contract.js';
import { listRecords } from '../metadata/list-records.js';
import { METADATA_COLUMNS, toMetadata, type MetadataRow } from '../metadata/metadata.store.js';
import { changeRecord, newMetadata } from '../metadata/records.store.js';
import type { Artifact, ArtifactChanges, NewArtifact } from './artifacts.contract.js';

interface ArtifactRow extends MetadataRow {
  id: string;
  content: string;
}

function toResponse(row: ArtifactRow): Artifact {
  const { id, content } = row;
  return { id, content, metadata: toMetadata(row), _link: `/v1/artifact/${id}` };
}

const ARTIFACTS = defineRecords<ArtifactRow, Artifact>({
  table: 'artifacts',
  noun: 'artifact',
  columns: `r.id, r.content, ${METADATA_COLUMNS}`,
  bytes: 'octet_length(r.content)',
  toResponse,
});

/** Artifacts of the prompt API. Every function accesses only one project. */
export function createArtifactStore(db: Database) {
  return {
    find: (project: Project, id: string) => ARTIFACTS.find(db, project, id),

    list: (project: Project, query: ListQuery) => listRecords(db.reads, ARTIFACTS, project, query),

    async create(tx: Tx, caller: Caller, { content, metadata }: NewArtifact): Promise<Versioned<Artifact>> {
      const row = await ARTIFACTS.create(
        tx,
        caller,
        (columns) => tx.artifact.create({ data: { ...newMetadata(caller, metadata), ...columns, content } }),
        ({ title }) => ({ title }),
      );
      return ARTIFACTS.toVersioned(row);
    },

    /** @throws AppError not_found, precondition_failed, conflict when `metadata.version` is not current. */
    async update(tx: Tx, caller: Caller, target: Target, changes: ArtifactChanges): Promise<Versioned<Artifact>> {
      const row = await changeRecord(tx, caller, ARTIFACTS, target, changes, (id, data) =>
        tx.artifact.update({ where: { id }, data }),
      );
      return ARTIFACTS.toVersioned(row);
    },

    /** @throws AppError not_found, precondition_failed */
    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> =>
      ARTIFACTS.remove(tx, caller, target, ({ id }) => tx.artifact.delete({ where: { id } })),
  };
}
export type ArtifactStore = ReturnType<typeof createArtifactStore>;
