import type { Caller, Project } from '@millwright/auth';
import { insertContent, searchContent, SEARCHED_CONTENT } from '@millwright/catalog';
import { decodeId, encodeId, readCount, type Database, type Tx, type Versioned } from '@millwright/db';
import { equals, listPage } from '@millwright/records';
import type { ContentListQuery, ContentRecord, NewContent, SearchQuery } from './content.contract.js';

interface ContentRow {
  id: string;
  title: string;
  slug: string;
  body: string;
  source: string;
  kind: string;
  public: boolean;
  tags: string[];
  created_at: Date;
  updated_at: Date;
  file_id?: string | null;
  place?: number | null;
  page?: number | null;
}

function toRecord({
  id,
  body,
  created_at,
  updated_at,
  title,
  slug,
  source,
  kind,
  tags,
  file_id: file,
  place,
  page = null,
  ...row
}: ContentRow): ContentRecord {
  return {
    id: encodeId('ct', id),
    title,
    slug,
    content: body,
    source,
    kind,
    public: row.public,
    tags,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    ...(file != null && place != null && { file: { id: encodeId('fl', file), passage: place, page } }),
  };
}

const COLUMNS =
  'r.id, r.title, r.slug, r.body, r.source, r.kind, r.public, r.tags, r.version, r.created_at, r.updated_at';

/** The active content of one project. */
export function createContentStore(db: Database) {
  return {
    async find(project: Project, id: string): Promise<Versioned<ContentRecord> | undefined> {
      const uuid = decodeId('ct', id);
      if (!uuid) return undefined;
      const text = `SELECT ${COLUMNS}, r.file_id, r.place, r.page FROM ${SEARCHED_CONTENT} r WHERE r.id = $1 AND r.project = $2 AND r.status = 'active'`;
      const [row] = await db.prepared<ContentRow & { version: number }>('find-active-content', text, [uuid, project]);
      return row && { record: toRecord(row), version: row.version };
    },

    /** Newest first. */
    async list(project: Project, query: ContentListQuery) {
      const { limit, offset } = query;
      const narrowed = (['source', 'public'] as const).filter((column) => query[column] !== undefined);
      const { rows, total, cut } = await listPage<ContentRow>(
        db.expensive(project),
        { name: 'active-content', table: 'content_items', columns: COLUMNS, bytes: 'octet_length(r.body)' },
        {
          conditions: [
            equals('r.project', project),
            equals('r.status', 'active'),
            ...narrowed.map((column) => equals(`r.${column}`, query[column], column)),
          ],
          sort: 'created_at',
          direction: 'desc',
          limit,
          offset,
          total:
            narrowed.length === 0
              ? () => readCount(db, { project, kind: 'content_items', status: 'active' })
              : undefined,
        },
      );
      return { items: rows.map(toRecord), total, limit, offset, cut };
    },

    async search({ project }: Caller, { q, ...query }: SearchQuery & { bodies?: boolean }) {
      const { results, total } = await searchContent(db, { ...query, project, text: q });
      return { results: results.map((row) => ({ ...toRecord(row), score: row.score, snippet: row.snippet })), total };
    },

    /** @throws AppError validation_error when the slug is taken. */
    async create(tx: Tx, caller: Caller, { content, ...input }: NewContent): Promise<Versioned<ContentRecord>> {
      const row = await insertContent(tx, caller, { ...input, body: content });
      return { record: toRecord(row), version: row.version };
    },
  };
}
export type ContentStore = ReturnType<typeof createContentStore>;
