import { AppError } from '@millwright/errors';
import type { Metadata, MetadataChanges, NewMetadata } from './metadata.contract.js';

/** The columns for the metadata of blocks, artifacts and conversations. */
export interface MetadataRow {
  title: string;
  description: string;
  tags: string[];
  log_message: string;
  status: string;
  author: string;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export const METADATA_COLUMNS =
  'r.title, r.description, r.tags, r.log_message, r.status, r.author, r.version, r.created_at, r.updated_at';

export function toMetadata(row: MetadataRow): Metadata {
  return {
    title: row.title,
    description: row.description,
    tag: row.tags,
    log_message: row.log_message,
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
    version: row.version,
    status: row.status as Metadata['status'],
    author: row.author,
  };
}

/** Returns the columns for the metadata of a request. */
export function metadataColumns({ title, description, tag, log_message, status }: NewMetadata) {
  return { title, description, tags: tag, log_message, status };
}

/** Returns the columns that a PUT changes; omitted fields keep their values. @throws AppError conflict when `metadata.version` is stale. */
export function changedColumns(changes: MetadataChanges | undefined, current: { version: number }) {
  const { version, title, description, tag, log_message, status } = changes ?? {};
  if (version !== undefined && version !== current.version) throw new AppError('conflict');
  const sent = { title, description, tags: tag, log_message, status };
  return withoutUndefined(sent);
}

/** Returns the object without its undefined values. */
export function withoutUndefined<Fields extends object>(
  fields: Fields | undefined,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>;
  };
}
