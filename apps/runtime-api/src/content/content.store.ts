import type { Caller, Project } from '@millwright/auth';
import { insertContent, searchContent, SEARCHED_CONTENT } from '@millwright/catalog';
import type { SearchVector } from '@millwright/catalog/knowledge-search';
import { decodeId, encodeId, LAST_ID, readCount, type Database, type Tx, type Versioned } from '@millwright/db';
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

/** Knowledge sources by row id. A passage of a source has this id in `file_id`. */
type Sources = ReadonlyMap<string, { name: string; url: string }>;

const NO_SOURCES: Sources = new Map();

/** Finds the knowledge sources to which these passages belong. All other passages belong to files. */
async function sourcesOf(db: Pick<Database, 'prepared'>, rows: readonly ContentRow[]): Promise<Sources> {
  const ids = [...new Set(rows.flatMap(({ file_id }) => file_id ?? []))];
  if (ids.length === 0) return NO_SOURCES;
  const text = 'SELECT id, name, url FROM knowledge_sources WHERE id = ANY ($1::uuid[])';
  const found = await db.prepared<{ id: string; name: string; url: string }>('sources-of-passages', text, [ids]);
  return new Map(found.map(({ id, ...source }) => [id, source]));
}

/** Returns the file or the knowledge source of a passage; an empty object for a content item. */
function ownerIn(
  { file_id: id, place, page = null }: ContentRow,
  sources: Sources,
): Pick<ContentRecord, 'file' | 'knowledge_source'> {
  if (id == null || place == null) return {};
  const source = sources.get(id);
  return source
    ? { knowledge_source: { id: encodeId('kns', id), ...source, passage: place, page } }
    : { file: { id: encodeId('fl', id), passage: place, page } };
}

function toRecord(row: ContentRow, sources = NO_SOURCES): ContentRecord {
  const { id, body, created_at, updated_at, title, slug, source, kind, tags } = row;
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
    ...ownerIn(row, sources),
  };
}

const COLUMNS =
  'r.id, r.title, r.slug, r.body, r.source, r.kind, r.public, r.tags, r.version, r.created_at, r.updated_at';

/** Page size of the list of MCP resources. */
const RESOURCES_PAGE = 100;

type ResourceRow = Pick<ContentRow, 'id' | 'slug' | 'title' | 'created_at'>;

/** Reads the active content of one project. */
export function createContentStore(db: Database) {
  return {
    async find(project: Project, id: string): Promise<Versioned<ContentRecord> | undefined> {
      const uuid = decodeId('ct', id);
      if (!uuid) return undefined;
      const text = `SELECT ${COLUMNS}, r.file_id, r.place, r.page FROM ${SEARCHED_CONTENT} r WHERE r.id = $1 AND r.project = $2 AND r.status = 'active'`;
      const [row] = await db.prepared<ContentRow & { version: number }>('find-active-content', text, [uuid, project]);
      return row && { record: toRecord(row, await sourcesOf(db, [row])), version: row.version };
    },

    /** Lists content items, newest first. */
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
      return { items: rows.map((row) => toRecord(row)), total, limit, offset, cut };
    },

    /** Lists the page of MCP resources after the cursor, newest first, without bodies. Returns undefined for an invalid cursor. */
    async listResources(project: Project, cursor: string | undefined): Promise<ResourcePage | undefined> {
      const after = cursor === undefined ? { created_at: 'infinity', id: LAST_ID } : readCursor(cursor);
      if (!after) return undefined;
      const rows = await db.prepared<ResourceRow>(
        'list-resources',
        `SELECT id, slug, title, created_at FROM content_items
          WHERE project = $1 AND status = 'active' AND (created_at, id) < ($2::timestamptz, $3::uuid)
          ORDER BY created_at DESC, id DESC LIMIT ${RESOURCES_PAGE + 1}`,
        [project, after.created_at, after.id],
      );
      const page = rows.slice(0, RESOURCES_PAGE);
      const last = rows.length > RESOURCES_PAGE ? page.at(-1) : undefined;
      const items = page.map(({ id, slug, title }) => ({ id: encodeId('ct', id), slug, title }));
      return { items, next: last && `${last.created_at.toISOString()}_${encodeId('ct', last.id)}` };
    },

    async search(
      { project }: Caller,
      { q, ...query }: SearchQuery & { bodies?: boolean; near?: SearchVector | undefined },
    ) {
      const { results, total } = await searchContent(db, { ...query, project, text: q });
      const sources = await sourcesOf(db, results);
      return {
        results: results.map((row) => ({ ...toRecord(row, sources), score: row.score, snippet: row.snippet })),
        total,
      };
    },

    /** @throws AppError validation_error when the slug is taken. */
    async create(tx: Tx, caller: Caller, { content, ...input }: NewContent): Promise<Versioned<ContentRecord>> {
      const row = await insertContent(tx, caller, { ...input, body: content });
      return { record: toRecord(row), version: row.version };
    },
  };
}
export type ContentStore = ReturnType<typeof createContentStore>;

export interface ResourcePage {
  items: { id: string; slug: string; title: string }[];
  next: string | undefined;
}

function readCursor(cursor: string): { created_at: string; id: string } | undefined {
  const [, created_at = '', item = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(ct_\w+)$/.exec(cursor) ?? [];
  const id = decodeId('ct', item);
  return id && !Number.isNaN(Date.parse(created_at)) ? { created_at, id } : undefined;
}
