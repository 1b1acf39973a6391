import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { decodeId, encodeId, lockRecord, moveCount, type Target, type Tx, type Versioned } from '@millwright/db';
import type { ContentChanges, ContentItem, NewContentItem } from './content-shapes.js';
import { insertContent } from './content.js';

export interface ContentRow {
  id: string;
  title: string;
  body: string;
  tags: string[];
  status: string;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** Select list of a content item, with `r` its row. */
export const CONTENT_COLUMNS = 'r.id, r.title, r.body, r.tags, r.status, r.version, r.created_at, r.updated_at';
/** The collection of what area B creates. */
const PLATFORM_SOURCE = 'platform';

/** A content item as area B shows it. */
export function toContentRecord({
  id,
  title,
  body,
  tags,
  status,
  version,
  created_at,
  updated_at,
}: ContentRow): Versioned<ContentItem> {
  return {
    version,
    record: {
      id: encodeId('ct', id),
      title,
      body,
      tags,
      status: status === 'active' ? 'active' : 'inactive',
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    },
  };
}

/** Creates a content item of the platform's own collection. */
export async function createContentRecord(
  tx: Tx,
  caller: Caller,
  input: NewContentItem,
): Promise<Versioned<ContentItem>> {
  return toContentRecord(await insertContent(tx, caller, { ...input, source: PLATFORM_SOURCE }));
}

/** Sets these fields. Without any, the record stays as it is. @throws AppError not_found, precondition_failed */
export async function changeContentRecord(
  tx: Tx,
  { project, actor }: Caller,
  target: Target,
  changes: ContentChanges,
): Promise<Versioned<ContentItem>> {
  const current = await lockRecord(tx, 'content_items', project, decodeId('ct', target.id), target.ifMatch);
  const where = { id: current.id };
  if (Object.keys(changes).length === 0) return toContentRecord(await tx.contentItem.findUniqueOrThrow({ where }));
  const row = await tx.contentItem.update({
    where,
    data: { ...changes, version: { increment: 1 }, updated_at: new Date() },
  });
  await moveCount(tx, { project, kind: 'content_items', status: current.status }, row.status);
  const detail = { fields: Object.keys(changes) };
  await recordDecision(tx, { actor, action: 'content.update', resource: target.id, project, detail });
  return toContentRecord(row);
}
