import type { Caller, Project } from '@millwright/auth';
import { changeContentRecord, CONTENT, createContentRecord } from '@millwright/catalog';
import type { Database, Target, Tx } from '@millwright/db';
import { hasTags } from '@millwright/records';
import { listRecords } from '../lists/list-records.js';
import type { ContentListQuery } from './content.contract.js';

/** Searched expressions. The index `content_items_search_start_idx` has the same expressions, so that searches can use it. */
const SEARCHED = ['r.title', 'left(r.body, 20000)'] as const;

/** Content of the platform API. Every function reads and changes only one project. */
export function createContentStore(db: Database) {
  return {
    find: (project: Project, id: string) => CONTENT.find(db, project, id),

    list: (project: Project, query: ContentListQuery) =>
      listRecords(db.expensive(project), CONTENT, project, query, {
        searched: SEARCHED,
        also: hasTags('r.tags', query.tag),
      }),

    create: createContentRecord,
    change: changeContentRecord,

    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> =>
      CONTENT.remove(tx, caller, target, ({ id }) => tx.contentItem.delete({ where: { id } })),
  };
}
export type ContentStore = ReturnType<typeof createContentStore>;
