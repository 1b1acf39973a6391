import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { FUSED_SCORE, nearestName, nearestSql, type SearchVector } from '../knowledge-search/nearest.js';

export interface ContentQuery {
  project: Project;
  /** The search text of the user. */
  text: string;
  source?: string | undefined;
  public?: boolean | undefined;
  /** Selects items that have at least one of these tags. */
  tags?: readonly string[] | undefined;
  limit: number;
  offset?: number;
  /** The vector of the search text. When it is missing, only words are compared. */
  near?: SearchVector | undefined;
  /**
   * Whether results contain their bodies, whose size limits the page. Default: true; otherwise the bodies are empty.
   */
  bodies?: boolean;
}

export interface FoundContent {
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
  /** For a passage: its file, its number in the file, and its page when the format has pages. */
  file_id: string | null;
  place: number | null;
  page: number | null;
  /** Score of the hit. Compare scores only within one search. */
  score: number;
  /** Parts of the body that contain the words, as plain text. */
  snippet: string;
}

/** Name of the collection that contains the passages of files. */
export const FILES_SOURCE = 'files';

/** SQL condition: whether the passages `p` belong to deleted knowledge. Their rows are deleted later. */
export const isDeletedPassage = (p: string) =>
  `EXISTS (SELECT FROM deleted_knowledge d WHERE d.file_id = ${p}.file_id AND d.attempt >= ${p}.attempt)`;

/**
 * SQL: content items and the passages of files as one table. The condition `where` is written into the SELECT of each of the two tables,
 * because PostgreSQL would not move the condition of a join there, and would read both tables completely.
 */
const searchedContent = (where = 'true') => `(
  SELECT id, project, status, title, slug, body, source, kind, public, tags, version, created_at, updated_at,
         NULL::uuid AS file_id, NULL::int AS place, NULL::int AS page FROM content_items WHERE ${where}
  UNION ALL
  SELECT id, project, status, title, file_id::text || '-' || place, body, '${FILES_SOURCE}', 'passage', false, tags, 1, created_at, created_at,
         file_id, place, page FROM passages p WHERE ${where} AND NOT ${isDeletedPassage('p')})`;

export const SEARCHED_CONTENT = searchedContent();

const MOST_TERMS = 32;

/** Suffix with which a search term matches all words that begin with the term. */
const PREFIX = ':*';

/** A search term and its spelling corrections. */
type Alternatives = readonly string[];

/**
 * Finds active content and passages of files by stems of words, without accents, and corrects misspelt words. Filters
 * apply before the ranking. Items with every word come before items with some words; titles weigh more than tags, and
 * tags more than bodies. At most 10,000 items and 10,000 passages are counted and ranked; a page has at most 2 MiB of
 * bodies. With a vector, the ranks by words are combined with the ranks of the nearest vectors.
 */
export async function searchContent(
  db: Pick<Database, 'prepared' | 'expensive'>,
  query: ContentQuery,
): Promise<{ results: FoundContent[]; total: number }> {
  const { near } = query;
  const groups = await withCorrections(db, query.project, termsOf(query.text));
  if (groups.length === 0) return { results: [], total: 0 };
  const any = groups.flat().join(' | ');
  const all = groups.map((words) => `(${words.join(' | ')})`).join(' & ');
  const filters = [query.project, any, query.source ?? null, query.public ?? null, query.tags ?? null];
  const { limit, offset = 0, bodies = true } = query;
  const expensive = db.expensive(query.project);
  const [results, [count]] = await Promise.all([
    expensive.prepared<FoundContent>(
      near ? `search-content-near-${nearestName(near)}` : 'search-content',
      searchSql(near),
      [
        ...filters,
        all,
        query.text,
        limit,
        offset,
        groups.flat().map((word) => word.replace(PREFIX, '')),
        bodies,
        ...vectorOf(near),
      ],
    ),
    expensive.prepared<{ total: string }>(
      near ? `count-found-content-near-${nearestName(near)}` : 'count-found-content',
      near ? countNear(near) : COUNT,
      [...filters, ...vectorOf(near)],
    ),
  ]);
  return { results, total: Number(count?.total) };
}

const vectorOf = (near: SearchVector | undefined) => (near ? [near.vector, near.generation] : []);

/** Returns the words of a text in the syntax of `to_tsquery`, each word once. The last word may be incomplete. */
function termsOf(text: string): string[] {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return [...new Set(words ?? [])].slice(0, MOST_TERMS);
}

async function withCorrections(
  db: Pick<Database, 'prepared'>,
  project: Project,
  terms: readonly string[],
): Promise<Alternatives[]> {
  if (terms.length === 0) return [];
  const corrections = await db.prepared<{ term: string; word: string }>('correct-words', CORRECTIONS, [project, terms]);
  return terms.map((term, index) => [
    // The user may still be typing the last word.
    index === terms.length - 1 && term.length >= 3 ? `${term}${PREFIX}` : term,
    ...corrections.filter((correction) => correction.term === term).map(({ word }) => word),
  ]);
}

/**
 * SQL: the nearest words by spelling, for words that no content of the project contains. Two swapped letters count as a
 * distance of two.
 */
const CORRECTIONS = `
  SELECT t.term, near.word
    FROM unnest($2::text[]) AS t (term)
   CROSS JOIN LATERAL (
     SELECT w.word FROM content_words w
      WHERE w.project = $1 AND w.word % t.term
        AND levenshtein_less_equal(w.word, t.term, 2) <= CASE WHEN length(t.term) < 5 THEN 1 ELSE 2 END
      ORDER BY levenshtein(w.word, t.term), similarity(w.word, t.term) DESC, w.word
      LIMIT 4) near
   WHERE length(t.term) BETWEEN 4 AND 40
     AND NOT EXISTS (SELECT 1 FROM content_words w WHERE w.project = $1 AND w.word = t.term)`;

/** Limit of the matching content items that are ranked and counted. The same limit applies to passages. */
const MOST_CANDIDATES = 10_000;

const filtersOf = (source: string, isPublic: string, isDeleted: string) => `
  i.project = $1 AND i.status = 'active' AND ($3::text IS NULL OR ${source} = $3) AND ($4::boolean IS NULL OR ${isPublic} = $4)
  AND ($5::text[] IS NULL OR i.tags && $5) AND NOT ${isDeleted}`;

const FILTERS = {
  item: filtersOf('i.source', 'i.public', 'false'),
  passage: filtersOf(`'${FILES_SOURCE}'`, 'false', isDeletedPassage('i')),
};

const found = (table: string, filters: string) => `
  (SELECT i.id, i.title, i.search FROM ${table} i
    WHERE i.search @@ to_tsquery('content_stems', $2) AND ${filters} LIMIT ${MOST_CANDIDATES})`;

const CANDIDATES = `(${found('content_items', FILTERS.item)} UNION ALL ${found('passages', FILTERS.passage)}) i`;

/** SQL: the vectors nearest to the search vector, among the items that pass the filters of the search. */
const nearestOf = (near: SearchVector, vector: number) =>
  nearestSql(near, `$${vector}::real[]`, `$${vector + 1}::int`, FILTERS);

const countNear = (near: SearchVector) => `
  SELECT count(*) AS total FROM (SELECT i.id FROM ${CANDIDATES} UNION SELECT n.id FROM (${nearestOf(near, 6)}) n) i`;

const COUNT = `SELECT count(*) AS total FROM ${CANDIDATES}`;

/**
 * Maximum bytes of the bodies of a page. When the bodies reach this size, the page has fewer items and the next page
 * continues after them.
 */
const PAGE_BYTES = 2 * 1_048_576;

/**
 * Number of characters of a body that are searched for the first match. The second number is used when the first part
 * of the body has no match. The snippet is cut from the text around the match.
 */
const SEARCHED_CHARACTERS = [20_000, 100_000] as const;
const PASSAGE_CHARACTERS = 2_000;
const BEFORE_PLACE = 500;

/** SQL: the significant words of a query, each unchanged and as its stem. */
const WORDS = `
  SELECT DISTINCT form FROM unnest($10::text[]) AS w (word)
   CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector('content_stems', w.word)) || w.word) AS f (form)
   WHERE to_tsvector('content_stems', w.word) <> ''`;

/** SQL: index of the first match within the first `characters` of a body. */
const placeIn = (characters: number) => `(
  SELECT min(coalesce(nullif(strpos(start.text, ' ' || w.form), 0), nullif(strpos(start.text, w.form), 0)))
    FROM (SELECT lower(unaccent(left(p.body, ${characters}))) AS text OFFSET 0) start CROSS JOIN words w)`;

/** SQL: the content that matches by words, with scores. */
const BY_WORDS = `
  SELECT i.id, (CASE WHEN i.search @@ to_tsquery('content_stems', $6) THEN 1 ELSE 0 END
                + ts_rank('{0, 0.3, 0.6, 1}', i.search, to_tsquery('content_stems', $2), 1)
                + word_similarity($7, i.title) / 2)::float8 AS score
    FROM ${CANDIDATES}`;

/** Returns the SQL of the matches by words and the nearest vectors, with scores that combine their ranks. */
const fused = (near: SearchVector) => `
  SELECT id, ${FUSED_SCORE} AS score FROM (
    SELECT b.id, row_number() OVER (ORDER BY b.score DESC, b.id) AS rank FROM (${BY_WORDS}) b
     UNION ALL SELECT n.id, n.rank FROM (${nearestOf(near, 12)}) n) ranked
   GROUP BY id`;

/**
 * Returns the SQL of a search. The limits of candidates, bytes and searched characters keep each statement below two
 * seconds, for bodies of any length. Short bodies are recognised by their number of bytes, because counting the
 * characters of a long body would read all of it.
 */
const searchSql = (near: SearchVector | undefined) => `
  WITH words AS MATERIALIZED (${WORDS})
  SELECT p.id, p.title, p.slug, CASE WHEN $11 THEN p.body ELSE '' END AS body, p.source, p.kind, p.public, p.tags, p.created_at, p.updated_at, p.file_id, p.place, p.page, p.score,
         ts_headline('content_stems', passage.text, to_tsquery('content_stems', $2),
                     'StartSel="", StopSel="", MaxFragments=2, MinWords=10, MaxWords=30, FragmentDelimiter=" … "') AS snippet
    FROM (SELECT c.*, found.score, sum(octet_length(c.body)) OVER best AS bytes, row_number() OVER best AS nth
            FROM (${near ? fused(near) : BY_WORDS} ORDER BY score DESC, id LIMIT $8 OFFSET $9) found
           CROSS JOIN LATERAL ${searchedContent('id = found.id')} c
          WINDOW best AS (ORDER BY found.score DESC, c.id)) p
   CROSS JOIN LATERAL (
     SELECT CASE WHEN octet_length(p.body) <= ${PASSAGE_CHARACTERS} THEN p.body
                 ELSE substr(p.body, greatest(1, coalesce(${SEARCHED_CHARACTERS.map(placeIn).join(', ')}, 1) - ${BEFORE_PLACE}), ${PASSAGE_CHARACTERS})
            END AS text) passage
   WHERE NOT $11::boolean OR p.bytes <= ${PAGE_BYTES} OR p.nth = 1
   ORDER BY p.score DESC, p.id`;
