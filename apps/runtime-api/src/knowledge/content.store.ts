import type { Project } from '@millwright/auth';
import { isDeletedPassage } from '@millwright/catalog';
import { encodeId, type Database } from '@millwright/db';

/** A piece of text that the model reads. */
export interface Piece {
  title: string;
  text: string;
  /** Address of the content item or passage, by which an answer cites it: everyone who may search content can open it. */
  url?: string;
}

const MOST_PIECES = 5;
/** Length up to which a whole body is used, in characters. From a longer body, only passages about the question are used. */
const WHOLE_BODY_CHARACTERS = 3_000;

/** Limits of ranked matches, so that a common word does not read everything. Passages are short. */
const MOST_ITEMS = 300;
const MOST_PASSAGES = 2_000;

const matches = (table: string, most: number, isDeleted = 'false') => `
  (SELECT i.id, i.title, i.body, i.search FROM ${table} i
    WHERE i.search @@ q.query AND i.project = $1 AND i.status = 'active' AND i.tags && $2 AND NOT ${isDeleted} LIMIT ${most})`;

/** Any word of the question may match; content with more and closer matches comes first. */
const SEARCH = `
  SELECT f.id, f.title,
         CASE WHEN length(f.body) <= ${WHOLE_BODY_CHARACTERS} THEN f.body
              ELSE ts_headline('content_stems', left(f.body, 100000), f.query,
                   'StartSel="", StopSel="", MaxFragments=4, MinWords=40, MaxWords=120, FragmentDelimiter=" … "') END AS text
    FROM (SELECT m.id, m.title, m.body, q.query
            FROM (SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS query
                    FROM unnest(to_tsvector('content_stems', left($3, 5000)))) q
           CROSS JOIN LATERAL (${matches('content_items', MOST_ITEMS)} UNION ALL ${matches('passages', MOST_PASSAGES, isDeletedPassage('i'))}) m
           ORDER BY ts_rank_cd(m.search, q.query) DESC, m.id
           LIMIT ${MOST_PIECES}) f`;

/**
 * The project's active content and passages of files about the question that have any of the tags, best match first.
 *
 * @param baseUrl address of the console
 */
export async function findContent(
  db: Database,
  project: Project,
  tags: readonly string[],
  question: string,
  baseUrl: string,
): Promise<Piece[]> {
  if (tags.length === 0) return [];
  const found = await db.prepared<{ id: string; title: string; text: string }>('find-knowledge', SEARCH, [
    project,
    [...tags],
    question,
  ]);
  return found.map(({ id, title, text }) => ({
    title,
    text,
    url: `${baseUrl}/chat/passages/${encodeId('ct', id)}`,
  }));
}
