import { recordDecision } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import { decodeId, encodeId, type Database, type Tx, type Versioned } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { equals, listPage } from '@millwright/records';
import { FAILURE_TEXTS, MAX_FILE_MIB, type FileKnowledge, type KnowledgeFailure } from './knowledge.contract.js';

interface KnowledgeRow {
  file_id: string;
  path: string;
  tags: string[];
  state: FileKnowledge['state'];
  failure: KnowledgeFailure | null;
  passages: number;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** Limit of a project's files that wait to be indexed. The limit is needed because a process reads the rows of all waiting files to claim one. */
const MOST_WAITING = 100;

const COLUMNS = 'r.file_id, f.path, r.tags, r.state, r.failure, r.passages, r.version, r.created_at, r.updated_at';
const FILE = 'JOIN files f ON f.id = r.file_id';

function toKnowledge({ file_id, path, tags, state, failure, passages, ...row }: KnowledgeRow): FileKnowledge {
  return {
    file_id: encodeId('fl', file_id),
    path,
    tags,
    state,
    failure: failure && { code: failure, message: FAILURE_TEXTS[failure] },
    passages,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** @throws AppError conflict when `MOST_WAITING` other files of the project wait already */
async function requireRoom(tx: Tx, project: Project, fileId: string): Promise<void> {
  const [others] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM file_knowledge WHERE state IN ('waiting', 'indexing') AND project = ${project} AND file_id <> ${fileId}::uuid
       LIMIT ${MOST_WAITING}) others`;
  if ((others?.count ?? 0) >= MOST_WAITING)
    throw new AppError('conflict', {
      fields: [{ field: 'file_id', reason: `waits behind ${MOST_WAITING} files of the project: try again later` }],
    });
}

/** Reads and changes the files that are used as knowledge. Every function accesses only one project. */
export function createKnowledgeStore(db: Database) {
  return {
    async find(project: Project, fileId: string): Promise<Versioned<FileKnowledge> | undefined> {
      const uuid = decodeId('fl', fileId);
      if (!uuid) return undefined;
      const text = `SELECT ${COLUMNS} FROM file_knowledge r ${FILE} WHERE r.file_id = $1 AND r.project = $2`;
      const [row] = await db.prepared<KnowledgeRow>('find-file-knowledge', text, [uuid, project]);
      return row && { record: toKnowledge(row), version: row.version };
    },

    /** Lists the files that are used as knowledge, newest first. */
    async list(project: Project, { limit, offset }: { limit: number; offset: number }) {
      const { rows, total } = await listPage<KnowledgeRow>(
        db.reads,
        { name: 'file-knowledge', table: 'file_knowledge', columns: COLUMNS, join: FILE, key: ['file_id'] },
        { conditions: [equals('r.project', project)], sort: 'created_at', direction: 'desc', limit, offset },
      );
      return { items: rows.map(toKnowledge), total, limit, offset };
    },

    /**
     * Requests that the file be indexed, or indexed again.
     *
     * @throws AppError not_found; validation_error for a large file; conflict while too many files wait
     */
    async put(tx: Tx, { project, actor }: Caller, fileId: string, tags: string[]): Promise<Versioned<FileKnowledge>> {
      const uuid = decodeId('fl', fileId);
      const [file] = uuid
        ? await tx.$queryRaw<{ path: string; size: bigint }[]>`
            SELECT path, size FROM files WHERE id = ${uuid}::uuid AND project = ${project} FOR KEY SHARE`
        : [];
      if (!uuid || !file) throw new AppError('not_found');
      if (file.size > MAX_FILE_MIB * 1_048_576)
        throw invalidField('file_id', `is a file of more than ${MAX_FILE_MIB} MiB`);
      await requireRoom(tx, project, uuid);
      const [row] = await tx.$queryRaw<[Omit<KnowledgeRow, 'path'>]>`
        INSERT INTO file_knowledge AS k (file_id, project, tags, created_by, attempt)
        VALUES (${uuid}::uuid, ${project}, ${tags}, ${actor.userId}::uuid, nextval('knowledge_attempts'))
        ON CONFLICT (file_id) DO UPDATE
          SET tags = excluded.tags, state = 'waiting', failure = NULL, attempt = nextval('knowledge_attempts'), tries = 0, next_at = now(),
              version = k.version + 1, updated_at = now()
        RETURNING *`;
      await recordDecision(tx, { actor, action: 'knowledge.put', resource: fileId, project, detail: { tags } });
      return { record: toKnowledge({ ...row, path: file.path }), version: row.version };
    },

    /**
     * Removes the file's passages from search. Indexers delete the rows of the passages later. @throws AppError not_found when the file is not used
     * as knowledge
     */
    async remove(tx: Tx, { project, actor }: Caller, fileId: string): Promise<void> {
      const uuid = decodeId('fl', fileId);
      const deleted = uuid
        ? await tx.$executeRaw`DELETE FROM file_knowledge WHERE file_id = ${uuid}::uuid AND project = ${project}`
        : 0;
      if (deleted === 0) throw new AppError('not_found');
      await recordDecision(tx, { actor, action: 'knowledge.delete', resource: fileId, project });
    },
  };
}
export type KnowledgeStore = ReturnType<typeof createKnowledgeStore>;
