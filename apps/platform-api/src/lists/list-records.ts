import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { contains, partOf, startsWith, type Condition, type RecordRow, type Records } from '@millwright/records';
import type { ListQuery } from './list.contract.js';

/** The parameters common to all lists; each contract restricts `sort` and `status` to its own values. */
type PageQuery = Omit<ListQuery, 'sort' | 'status'> & {
  sort: ListQuery['sort'] | 'title';
  status?: string | undefined;
};

interface Narrowing {
  /** Columns that a search matches; the first is the name. */
  searched?: readonly [name: string, text: string];
  /** Condition that restricts the list, for example to the skills of one agent. */
  within?: Condition;
  /** Further conditions, from parameters that only some lists have. */
  also?: readonly Condition[];
}

/** Minimum length for the trigram index; shorter searches match the beginnings of names. */
const TRIGRAM_LENGTH = 3;

/** Returns one page of a project's records in the envelope of this service's lists. */
export async function listRecords<Row extends RecordRow, Shown>(
  db: Pick<Database, 'prepared'>,
  records: Records<Row, Shown>,
  project: Project,
  { page, per_page, skip, sort, order, search: text, status }: PageQuery,
  { searched = ['r.name', 'r.description'], within, also = [] }: Narrowing = {},
) {
  const search = text?.trim();
  const conditions = [...(within ? [within] : []), ...also];
  if (search)
    conditions.push(search.length < TRIGRAM_LENGTH ? startsWith(searched[0], search) : contains(searched, search));
  const filter = { conditions, status, sort, direction: order, ...partOf(page, per_page, skip) };
  return { ...(await records.list(db, project, filter)), page, per_page };
}
