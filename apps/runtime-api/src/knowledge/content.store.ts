import type { Project } from '@millwright/auth';
import { isDeletedPassage } from '@millwright/catalog';
import {
  aroundPart,
  FUSED_SCORE,
  nearestName,
  nearestSql,
  type SearchVector,
} from '@millwright/catalog/knowledge-search';
import { encodeId, type Database } from '@millwright/db';

/** A piece of text that the model reads. */
export interface Piece {
  title: string;
  text: string;
  /** Address by which an answer cites the content item or passage. Every user who may search content can open it. */
  url?: string;
}

const MOST_PIECES = 5;
/** Limit in characters up to which a text is used as a whole. Of a longer text, only the passages about the question are used. */
const WHOLE_BODY_CHARACTERS = 3_000;

/**
 * Limits of the matches that are ranked, so that a common word does not make a query read all content. More passages than items are ranked, because
 * passages are short.
 */
const MOST_ITEMS = 300;
const MOST_PASSAGES = 2_000;

/** Limit of the matches by words whose ranks are combined with the ranks of the nearest vectors. */
const MOST_RANKED = 100;

const FILTERS = `i.project = $1 AND i.status = 'active' AND i.tags && $2`;

const matches = (table: string, most: number, isDeleted = 'false') => `
  (SELECT i.id, i.title, i.body, i.search FROM ${table} i
    WHERE i.search @@ q.query AND ${FILTERS} AND NOT ${isDeleted} LIMIT ${most})`;

/** SQL for the search words. Content matches when it has at least one word of the question; content with more words, closer together, ranks first. */
const QUERY = `
  (SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS query FROM unnest(to_tsvector('content_stems', left($3, 5000))))`;

const MATCHES = `(${matches('content_items', MOST_ITEMS)} UNION ALL ${matches('passages', MOST_PASSAGES, isDeletedPassage('i'))})`;

const textOf = (body: string, query: string) => `
  CASE WHEN length(${body}) <= ${WHOLE_BODY_CHARACTERS} THEN ${body}
       ELSE ts_headline('content_stems', left(${body}, 100000), ${query},
            'StartSel="", StopSel="", MaxFragments=4, MinWords=40, MaxWords=120, FragmentDelimiter=" … "') END`;

const BY_WORDS = `
  SELECT f.id, f.title, ${textOf('f.body', 'f.query')} AS text
    FROM (SELECT m.id, m.title, m.body, q.query FROM ${QUERY} q CROSS JOIN LATERAL ${MATCHES} m
           ORDER BY ts_rank_cd(m.search, q.query) DESC, m.id
           LIMIT ${MOST_PIECES}) f`;

/**
 * Combines the ranks of the matches by words with the ranks of the nearest vectors. `text` is the whole body of a long text that only a vector found.
 * `part` is then the number of the part that the vector belongs to.
 */
const byWordsAndVectors = (near: SearchVector) => `
  WITH q AS ${QUERY},
  words AS (
    SELECT r.id, NULL::int AS part, row_number() OVER (ORDER BY r.score DESC, r.id) AS rank
      FROM (SELECT m.id, ts_rank_cd(m.search, q.query) AS score FROM q CROSS JOIN LATERAL ${MATCHES} m
             ORDER BY score DESC, m.id LIMIT ${MOST_RANKED}) r),
  nearest AS (${nearestSql(near, '$4::real[]', '$5', { item: FILTERS, passage: `${FILTERS} AND NOT ${isDeletedPassage('i')}` })}),
  best AS (
    SELECT r.id, max(r.part) AS part, bool_or(r.part IS NULL) AS has_words, ${FUSED_SCORE} AS score
      FROM (SELECT id, part, rank FROM words UNION ALL SELECT id, part, rank FROM nearest) r
     GROUP BY r.id ORDER BY score DESC, r.id LIMIT ${MOST_PIECES})
  SELECT b.id, c.title, CASE WHEN b.has_words THEN ${textOf('c.body', 'q.query')} ELSE c.body END AS text,
         CASE WHEN b.has_words OR length(c.body) <= ${WHOLE_BODY_CHARACTERS} THEN NULL ELSE b.part END AS part
    FROM best b CROSS JOIN q
   CROSS JOIN LATERAL (SELECT i.title, i.body FROM content_items i WHERE i.id = b.id
                       UNION ALL SELECT i.title, i.body FROM passages i WHERE i.id = b.id) c
   ORDER BY b.score DESC, b.id`;

interface FoundPiece {
  id: string;
  title: string;
  text: string;
  /** Number of the part of `text` to use. Null means all of `text`. */
  part?: number | null;
}

/**
 * Finds the project's active content and passages that are about the question and have at least one of the tags. The best match comes first.
 *
 * @param baseUrl address of the console
 * @param near the question's vector; without it, content is found by its words alone
 */
export async function findContent(
  db: Database,
  project: Project,
  tags: readonly string[],
  question: string,
  baseUrl: string,
  near?: SearchVector,
): Promise<Piece[]> {
  if (tags.length === 0) return [];
  const values = [project, [...tags], question];
  const found = near
    ? await db.prepared<FoundPiece>(`find-knowledge-near-${nearestName(near)}`, byWordsAndVectors(near), [
        ...values,
        near.vector,
        near.generation,
      ])
    : await db.prepared<FoundPiece>('find-knowledge', BY_WORDS, values);
  return found.map(({ id, title, text, part }) => ({
    title,
    text: part == null ? text : aroundPart(text, part),
    url: `${baseUrl}/chat/passages/${encodeId('ct', id)}`,
  }));
}
