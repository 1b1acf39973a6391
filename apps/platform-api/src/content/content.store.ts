import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import {
  changeContentRecord,
  CONTENT_COLUMNS,
  createContentRecord,
  toContentRecord,
  type ContentItem,
  type ContentRow,
} from '@millwright/catalog';
import { addToCount, decodeId, lockRecord, type Database, type Target, type Tx, type Versioned } from '@millwright/db';
import { findRecord, listRecords, type RecordSource } from '../lists/list.store.js';
import type { ContentListQuery } from './content.contract.js';

const CONTENT: RecordSource<ContentRow, Versioned<ContentItem>> = {
  kind: 'content_items',
  prefix: 'ct',
  columns: CONTENT_COLUMNS,
  searched: ['title', 'body'],
  toShown: toContentRecord,
};

/** The only file that reads and writes content for area B. Every function sees one project and nothing else. */
export function createContentStore(db: Database) {
  return {
    find: (project: Project, id: string) => findRecord(db, CONTENT, project, id),

    list: (project: Project, query: ContentListQuery) => listRecords(db, CONTENT, project, query),

    create: createContentRecord,
    change: changeContentRecord,

    async remove(tx: Tx, { project, actor }: Caller, target: Target): Promise<void> {
      const current = await lockRecord(tx, 'content_items', project, decodeId('ct', target.id), target.ifMatch);
      await tx.contentItem.delete({ where: { id: current.id } });
      await addToCount(tx, { project, kind: 'content_items', status: current.status }, -1);
      await recordDecision(tx, { actor, action: 'content.delete', resource: target.id, project });
    },
  };
}
export type ContentStore = ReturnType<typeof createContentStore>;
