import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';

/** A text for the model to read. */
export interface Piece {
  title: string;
  text: string;
}

const MOST_PIECES = 5;
/** Length up to which a whole body is used, in characters. From a longer body, only passages about the question are used. */
const WHOLE_BODY_CHARACTERS = 3_000;

/**
 * Any word of the question may match; items with more and closer matches come first. Only the first 300 matches are ranked, so that a
 * common word does not read every item.
 */
const SEARCH = `
  SELECT f.title,
         CASE WHEN length(f.body) <= ${WHOLE_BODY_CHARACTERS} THEN f.body
              ELSE ts_headline('content_stems', left(f.body, 100000), f.query,
                   'StartSel="", StopSel="", MaxFragments=4, MinWords=40, MaxWords=120, FragmentDelimiter=" … "') END AS text
    FROM (SELECT m.title, m.body, m.query
            FROM (SELECT i.id, i.title, i.body, i.search, q.query
                    FROM (SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS query
                            FROM unnest(to_tsvector('content_stems', left($3, 5000)))) q
                    JOIN content_items i ON i.search @@ q.query
                   WHERE i.project = $1 AND i.status = 'active' AND i.tags && $2 LIMIT 300) m
           ORDER BY ts_rank_cd(m.search, m.query) DESC, m.id
           LIMIT ${MOST_PIECES}) f`;

/** The project's active content about the question that has any of the tags, best match first. */
export async function findContent(
  db: Database,
  project: Project,
  tags: readonly string[],
  question: string,
): Promise<Piece[]> {
  if (tags.length === 0) return [];
  return db.prepared<Piece>('find-knowledge', SEARCH, [project, [...tags], question]);
}
