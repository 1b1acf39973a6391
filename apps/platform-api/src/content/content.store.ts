import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { insertContent } from '@millwright/catalog';
import {
  addToCount,
  decodeId,
  encodeId,
  lockRecord,
  moveCount,
  type Database,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { findRecord, listRecords, type RecordSource } from '../lists/list.store.js';
import type { ContentChanges, ContentItem, ContentListQuery, NewContentItem } from './content.contract.js';

interface ContentRow {
  id: string;
  title: string;
  body: string;
  tags: string[];
  status: string;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'r.id, r.title, r.body, r.tags, r.status, r.version, r.created_at, r.updated_at';
/** The collection of what area B creates. */
const SOURCE = 'platform';

function toContentItem({
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

const CONTENT: RecordSource<ContentRow, Versioned<ContentItem>> = {
  kind: 'content_items',
  prefix: 'ct',
  columns: COLUMNS,
  searched: ['title', 'body'],
  toShown: toContentItem,
};

/** The only file that reads and writes content for area B. Every function sees one project and nothing else. */
export function createContentStore(db: Database) {
  return {
    find: (project: Project, id: string) => findRecord(db, CONTENT, project, id),

    list: (project: Project, query: ContentListQuery) => listRecords(db, CONTENT, project, query),

    async create(tx: Tx, caller: Caller, input: NewContentItem): Promise<Versioned<ContentItem>> {
      return toContentItem(await insertContent(tx, caller, { ...input, source: SOURCE }));
    },

    /** Sets these fields. Without any, the record stays as it is. */
    async change(
      tx: Tx,
      { project, actor }: Caller,
      target: Target,
      changes: ContentChanges,
    ): Promise<Versioned<ContentItem>> {
      const current = await lockRecord(tx, 'content_items', project, decodeId('ct', target.id), target.ifMatch);
      const where = { id: current.id };
      if (Object.keys(changes).length === 0) return toContentItem(await tx.contentItem.findUniqueOrThrow({ where }));
      const row = await tx.contentItem.update({
        where,
        data: { ...changes, version: { increment: 1 }, updated_at: new Date() },
      });
      await moveCount(tx, { project, kind: 'content_items', status: current.status }, row.status);
      const detail = { fields: Object.keys(changes) };
      await recordDecision(tx, { actor, action: 'content.update', resource: target.id, project, detail });
      return toContentItem(row);
    },

    async remove(tx: Tx, { project, actor }: Caller, target: Target): Promise<void> {
      const current = await lockRecord(tx, 'content_items', project, decodeId('ct', target.id), target.ifMatch);
      await tx.contentItem.delete({ where: { id: current.id } });
      await addToCount(tx, { project, kind: 'content_items', status: current.status }, -1);
      await recordDecision(tx, { actor, action: 'content.delete', resource: target.id, project });
    },
  };
}
export type ContentStore = ReturnType<typeof createContentStore>;
