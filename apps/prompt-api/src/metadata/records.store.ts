import { recordDecision } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import { addToCount, lockRecord, moveCount, newId, type Database, type Target, type Tx } from '@millwright/db';
import type { ListSource } from './list.store.js';
import type { MetadataChanges, NewMetadata } from './metadata.contract.js';
import { changedColumns, metadataColumns, withoutUndefined, type MetadataRow } from './metadata.store.js';

/** Records that keep their metadata in columns of their own. */
export interface RecordKind {
  kind: 'artifacts' | 'blocks' | 'conversations';
  /** In the audit trail. */
  name: 'artifact' | 'block' | 'conversation';
}

/** The project's record with this id. */
export async function findRecord<Row extends object>(
  db: Database,
  { kind, columns }: ListSource,
  project: Project,
  id: string,
): Promise<Row | undefined> {
  const text = `SELECT ${columns} FROM ${kind} r WHERE r.id = $1 AND r.project = $2`;
  const [row] = await db.prepared<Row>(`find-${kind}`, text, [id, project]);
  return row;
}

/** The columns of a new record that do not depend on its kind. */
export function newRecord({ project, actor }: Caller, metadata: NewMetadata) {
  const now = new Date();
  return {
    ...metadataColumns(metadata),
    id: newId(),
    project,
    author: actor.label,
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  };
}

type Changed<Changes> = ReturnType<typeof withoutUndefined<Omit<Changes, 'metadata'>>> &
  ReturnType<typeof changedColumns> & { version: { increment: 1 }; updated_at: Date };

/**
 * Writes what is sent with a PUT as the record's next version.
 *
 * @throws AppError not_found, precondition_failed, conflict when `metadata.version` is not current.
 */
export async function changeRecord<
  Row extends MetadataRow & { id: string },
  Changes extends { metadata?: MetadataChanges | undefined },
>(
  tx: Tx,
  { project, actor }: Caller,
  { kind, name }: RecordKind,
  target: Target,
  { metadata, ...fields }: Changes,
  write: (id: string, data: Changed<Changes>) => Promise<Row>,
): Promise<Row> {
  const current = await lockRecord(tx, kind, project, target.id, target.ifMatch);
  const changed = { ...withoutUndefined(fields), ...changedColumns(metadata, current) };
  const row = await write(current.id, { ...changed, version: { increment: 1 }, updated_at: new Date() });
  await moveCount(tx, { project, kind, status: current.status }, row.status);
  const detail = { version: row.version, fields: Object.keys(changed) };
  await recordDecision(tx, { actor, action: `${name}.update`, resource: row.id, project, detail });
  return row;
}

/** @throws AppError not_found, precondition_failed */
export async function removeRecord(
  tx: Tx,
  { project, actor }: Caller,
  { kind, name }: RecordKind,
  target: Target,
  remove: (id: string) => Promise<unknown>,
): Promise<void> {
  const current = await lockRecord(tx, kind, project, target.id, target.ifMatch);
  await remove(current.id);
  await addToCount(tx, { project, kind, status: current.status }, -1);
  await recordDecision(tx, { actor, action: `${name}.delete`, resource: current.id, project });
}
