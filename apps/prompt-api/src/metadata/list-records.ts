import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { contains, hasTags, partOf, type Condition, type RecordRow, type Records } from '@millwright/records';
import type { ListQuery } from './list.contract.js';

interface Naming {
  /** Names of the columns with title and tags. */
  title?: string;
  tags?: string;
  /** Value of the column `status` for the requested status. */
  status?: string | undefined;
}

/** Reads one page of a project's records, with the total. */
export function listRecords<Row extends RecordRow, Shown>(
  db: Pick<Database, 'prepared'>,
  records: Records<Row, Shown>,
  project: Project,
  query: ListQuery,
  { title = 'title', tags: tagColumn = 'tags', status = query.status }: Naming = {},
) {
  const search = query.search?.trim();
  const conditions: Condition[] = hasTags(`r.${tagColumn}`, query.tag);
  if (search) conditions.push(contains([`r.${title}`, 'r.description'], search));
  return records.list(db, project, {
    conditions,
    status,
    sort: { created: 'created_at', updated: 'updated_at', title }[query.sort_by],
    direction: query.sort_direction,
    ...partOf(query.page, query.limit, query.skip),
  });
}
