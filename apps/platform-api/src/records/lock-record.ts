import type { Project } from '@millwright/auth';
import type { Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';

/** A record and the version its ETag is made of. */
export interface Versioned<Shown> {
  record: Shown;
  version: number;
}

/** Which record a request changes, and from which versions it may (`If-Match`). */
export interface Target {
  id: string;
  ifMatch: readonly number[] | undefined;
}

export interface LockedRecord {
  id: string;
  status: string;
  version: number;
}

/**
 * Holds a project's record until the transaction ends, so that the version checked is the version changed.
 *
 * @throws AppError not_found, precondition_failed when `If-Match` names other versions.
 */
export async function lockRecord(
  tx: Tx,
  table: 'skills' | 'agents' | 'content_items',
  project: Project,
  id: string | undefined,
  ifMatch: readonly number[] | undefined,
): Promise<LockedRecord> {
  if (id === undefined) throw new AppError('not_found');
  const [row] = await tx.$queryRawUnsafe<LockedRecord[]>(
    `SELECT id, status, version FROM ${table} WHERE id = $1::uuid AND project = $2 FOR UPDATE`,
    id,
    project,
  );
  if (!row) throw new AppError('not_found');
  if (ifMatch && !ifMatch.includes(row.version)) throw new AppError('precondition_failed');
  return row;
}
