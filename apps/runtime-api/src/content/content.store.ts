import type { Caller, Project } from '@millwright/auth';
import { insertContent, searchContent } from '@millwright/catalog';
import { decodeId, encodeId, readCount, type Database, type Tx, type Versioned } from '@millwright/db';
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
  };
}

const COLUMNS =
  'r.id, r.title, r.slug, r.body, r.source, r.kind, r.public, r.tags, r.version, r.created_at, r.updated_at';

/** What area C sees of content: the active items of one project. */
export function createContentStore(db: Database) {
  async function count(project: Project, filter: string, values: unknown[]): Promise<number> {
    const text = `SELECT count(*) AS n FROM content_items i WHERE ${filter}`;
    const [row] = await db.prepared<{ n: string }>('count-active-content', text, values);
    return Number(row?.n);
  }

  return {
    async find(project: Project, id: string): Promise<Versioned<ContentRecord> | undefined> {
      const uuid = decodeId('ct', id);
      if (!uuid) return undefined;
      const text = `SELECT ${COLUMNS} FROM content_items r WHERE r.id = $1 AND r.project = $2 AND r.status = 'active'`;
      const [row] = await db.prepared<ContentRow & { version: number }>('find-active-content', text, [uuid, project]);
      return row && { record: toRecord(row), version: row.version };
    },

    /** Newest first. */
    async list(project: Project, query: ContentListQuery) {
      const { limit, offset, source } = query;
      const filtered = source !== undefined || query.public !== undefined;
      const filter = `i.project = $1 AND i.status = 'active' AND ($2::text IS NULL OR i.source = $2)
        AND ($3::boolean IS NULL OR i.public = $3)`;
      const values = [project, source ?? null, query.public ?? null];
      const [rows, total] = await Promise.all([
        db.prepared<ContentRow>(
          'list-active-content',
          `SELECT ${COLUMNS} FROM (SELECT i.id FROM content_items i WHERE ${filter}
                                    ORDER BY i.created_at DESC, i.id DESC LIMIT $4 OFFSET $5) page
             JOIN content_items r USING (id) ORDER BY r.created_at DESC, r.id DESC`,
          [...values, limit, offset],
        ),
        filtered ? count(project, filter, values) : readCount(db, { project, kind: 'content_items', status: 'active' }),
      ]);
      return { items: rows.map(toRecord), total, limit, offset };
    },

    async search({ project }: Caller, { q, ...query }: SearchQuery) {
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
