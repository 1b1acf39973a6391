import type { Caller } from '@millwright/auth';
import type { Target, Tx } from '@millwright/db';
import type { NextVersion, Records } from '@millwright/records';
import type { MetadataChanges, NewMetadata } from './metadata.contract.js';
import { changedColumns, metadataColumns, withoutUndefined, type MetadataRow } from './metadata.store.js';

/** Returns the metadata columns of a new record. */
export const newMetadata = ({ actor }: Caller, metadata: NewMetadata) => ({
  ...metadataColumns(metadata),
  author: actor.label,
});

type Changed<Changes> = ReturnType<typeof withoutUndefined<Omit<Changes, 'metadata'>>> &
  ReturnType<typeof changedColumns> &
  NextVersion;

/**
 * Writes the fields of a PUT as the record's next version.
 *
 * @throws AppError not_found, precondition_failed, conflict when `metadata.version` is not current.
 */
export async function changeRecord<
  Row extends MetadataRow & { id: string },
  Changes extends { metadata?: MetadataChanges | undefined },
>(
  tx: Tx,
  caller: Caller,
  records: Pick<Records<Row, unknown>, 'lock' | 'change'>,
  target: Target,
  { metadata, ...fields }: Changes,
  write: (id: string, data: Changed<Changes>) => Promise<Row>,
): Promise<Row> {
  const current = await records.lock(tx, caller, target);
  const changed = { ...withoutUndefined(fields), ...changedColumns(metadata, current) };
  return records.change(
    tx,
    caller,
    current,
    (next) => write(current.id, { ...changed, ...next }),
    ({ version }) => ({ version, fields: Object.keys(changed) }),
  );
}
