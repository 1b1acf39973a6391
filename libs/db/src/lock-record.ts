import { AppError } from '@millwright/errors';
import type { CountedKind } from './counters.js';
import type { Tx } from './database.js';
import { Prisma } from './generated/client.js';

/** The record that a request changes. `If-Match` may limit the change to certain versions of the record. */
export interface Target {
  id: string;
  ifMatch: readonly number[] | undefined;
}

/** A body with a record, and the version of the record, which is sent as ETag. */
export interface Versioned<Body> {
  record: Body;
  version: number;
}

export interface LockedRecord {
  id: string;
  status: string;
  version: number;
}

/** Tables whose deleted rows are only hidden by `deleted_at` until a job has deleted the dependent rows in steps. */
const DELETED_IN_STEPS: ReadonlySet<CountedKind> = new Set(['conversations', 'prompts', 'webhooks', 'triggers']);

/** SQL condition that the row `alias` is not deleted. */
export const isPresent = (table: CountedKind, alias: string): string =>
  DELETED_IN_STEPS.has(table) ? `${alias}.deleted_at IS NULL` : 'true';

/**
 * Locks a project's record until the transaction ends, so that the checked version is also the version that is changed.
 * `id` is the UUID of the record, or `undefined` when the request contains no valid id.
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
  const [row] = await tx.$queryRaw<LockedRecord[]>`
    SELECT r.id, r.status, r.version FROM ${Prisma.raw(table)} r
     WHERE r.id = ${id}::uuid AND r.project = ${project} AND ${Prisma.raw(isPresent(table, 'r'))} FOR UPDATE`;
  if (!row) throw new AppError('not_found');
  if (ifMatch && !ifMatch.includes(row.version)) throw new AppError('precondition_failed');
  return row;
}
