import { AppError } from '@millwright/errors';
import type { CountedKind } from './counters.js';
import type { Tx } from './database.js';

/** Which record a request changes, and from which versions it may (`If-Match`). */
export interface Target {
  id: string;
  ifMatch: readonly number[] | undefined;
}

/** A record as it is shown, and the version its ETag is made of. */
export interface Versioned<Shown> {
  record: Shown;
  version: number;
}

export interface LockedRecord {
  id: string;
  status: string;
  version: number;
}

/**
 * Holds a project's record until the transaction ends, so that the version checked is the version changed. `id` is its UUID,
 * `undefined` where the request named none.
 *
 * @throws AppError not_found, precondition_failed when `If-Match` names other versions.
 */
export async function lockRecord(
  tx: Tx,
  table: CountedKind,
  project: string,
  id: string | undefined,
  ifMatch: readonly number[] | undefined,
): Promise<LockedRecord> {
  if (id === undefined) throw new AppError('not_found');
  const text = `SELECT id, status, version FROM ${table} WHERE id = $1::uuid AND project = $2 FOR UPDATE`;
  const [row] = await tx.$queryRawUnsafe<LockedRecord[]>(text, id, project);
  if (!row) throw new AppError('not_found');
  if (ifMatch && !ifMatch.includes(row.version)) throw new AppError('precondition_failed');
  return row;
}
