import { recordDecision } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import { decodeId, encodeId, type Database, type Target, type Tx, type Versioned } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Upload } from '@millwright/http';
import { equals, listPage, type Condition } from '@millwright/records';
import type { UploadedFile } from './files.contract.js';

interface FileRow {
  id: string;
  path: string;
  size: bigint | string;
  content_type: string;
  sha256: Uint8Array;
  version: number;
  created_at: Date;
}

/** A record, and the name of its stored bytes. */
export interface FoundFile extends Versioned<UploadedFile> {
  uuid: string;
}

function toFile({ id, path, size, content_type, sha256, version, created_at }: FileRow): FoundFile {
  return {
    uuid: id,
    version,
    record: {
      id: encodeId('fl', id),
      path,
      size: Number(size),
      content_type,
      sha256: Buffer.from(sha256).toString('hex'),
      created_at: created_at.toISOString(),
    },
  };
}

const COLUMNS = 'r.id, r.path, r.size, r.content_type, r.sha256, r.version, r.created_at';

/** Access to the rows of files. */
export function createFileStore(db: Database) {
  return {
    async find(project: Project, id: string): Promise<FoundFile | undefined> {
      const uuid = decodeId('fl', id);
      if (!uuid) return undefined;
      const text = `SELECT ${COLUMNS} FROM files r WHERE r.id = $1 AND r.project = $2`;
      const [row] = await db.prepared<FileRow>('find-file', text, [uuid, project]);
      return row && toFile(row);
    },

    /** Lists files, newest first. With `search`, lists only files whose path contains `search`. */
    async list(project: Project, { limit, offset, search = '' }: { limit: number; offset: number; search?: string }) {
      const found: Condition = {
        name: 'search',
        sql: (text) => `position(lower(${text}) IN lower(r.path)) > 0`,
        value: search,
      };
      const { rows, total } = await listPage<FileRow>(
        db.reads,
        { name: 'files', table: 'files', columns: COLUMNS },
        {
          conditions: [equals('r.project', project), ...(search === '' ? [] : [found])],
          sort: 'created_at',
          direction: 'desc',
          limit,
          offset,
        },
      );
      return { items: rows.map((row) => toFile(row).record), total, limit, offset };
    },

    /** Creates the record. The bytes must have been stored durably before the call. */
    async create(tx: Tx, { project, actor }: Caller, uuid: string, upload: Upload<{ path: string }>) {
      const { size, content_type, sha256 } = upload;
      const row = await tx.file.create({
        data: {
          id: uuid,
          project,
          path: upload.fields.path,
          size,
          content_type,
          sha256: new Uint8Array(sha256),
          created_by: actor.userId,
        },
      });
      const file = toFile(row);
      await recordDecision(tx, {
        actor,
        action: 'file.create',
        resource: file.record.id,
        project,
        detail: { size, sha256: file.record.sha256 },
      });
      return file;
    },

    /**
     * Deletes the record. @returns the name of the file's stored bytes @throws AppError not_found; precondition_failed when `ifMatch` does not have
     * the current version
     */
    async remove(tx: Tx, { project, actor }: Caller, { id, ifMatch }: Target): Promise<string> {
      const uuid = decodeId('fl', id);
      if (!uuid) throw new AppError('not_found');
      const [row] = await tx.$queryRaw<{ version: number }[]>`
        DELETE FROM files WHERE id = ${uuid}::uuid AND project = ${project} RETURNING version`;
      if (!row) throw new AppError('not_found');
      if (ifMatch && !ifMatch.includes(row.version)) throw new AppError('precondition_failed');
      await recordDecision(tx, { actor, action: 'file.delete', resource: id, project });
      return uuid;
    },

    /** Returns the names for which no row exists. */
    async withoutRow(tx: Tx, uuids: readonly string[]): Promise<string[]> {
      const rows = await tx.$queryRaw<{ id: string }[]>`
        SELECT name::text AS id FROM unnest(${uuids}::uuid[]) AS name WHERE NOT EXISTS (SELECT FROM files WHERE id = name)`;
      return rows.map(({ id }) => id);
    },
  };
}
export type FileStore = ReturnType<typeof createFileStore>;
