import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';

export interface ContentQuery {
  project: Project;
  /** What is looked for, in the words of who looks. */
  text: string;
  source?: string | undefined;
  public?: boolean | undefined;
  /** Items that have at least one of them. */
  tags?: readonly string[] | undefined;
  limit: number;
  offset?: number;
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
  /** Comparable within one search only. */
  score: number;
  /** The places of the body that have the words, as plain text. */
  snippet: string;
}

const MOST_TERMS = 32;

/** A term with what it may have meant, should it be misspelt. */
type Alternatives = readonly string[];

/**
 * Finds active content by its words: stems, without accents, misspelt ones too. Filters come before the ranking; items that
 * have every word come before those that have some, and titles weigh more than tags, tags more than bodies.
 */
export async function searchContent(
  db: Database,
  query: ContentQuery,
): Promise<{ results: FoundContent[]; total: number }> {
  const groups = await withCorrections(db, query.project, termsOf(query.text));
  if (groups.length === 0) return { results: [], total: 0 };
  const any = groups.flat().join(' | ');
  const all = groups.map((words) => `(${words.join(' | ')})`).join(' & ');
  const filters = [query.project, any, query.source ?? null, query.public ?? null, query.tags ?? null];
  const { limit, offset = 0 } = query;
  const [results, [count]] = await Promise.all([
    db.prepared<FoundContent>('search-content', SEARCH, [...filters, all, query.text, limit, offset]),
    db.prepared<{ total: string }>('count-found-content', COUNT, filters),
  ]);
  return { results, total: Number(count?.total) };
}

/** The words of a text as `to_tsquery` takes them, each once. The last one may be unfinished. */
function termsOf(text: string): string[] {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return [...new Set(words ?? [])].slice(0, MOST_TERMS);
}

async function withCorrections(db: Database, project: Project, terms: readonly string[]): Promise<Alternatives[]> {
  if (terms.length === 0) return [];
  const corrections = await db.prepared<{ term: string; word: string }>('correct-words', CORRECTIONS, [project, terms]);
  return terms.map((term, index) => [
    // Who types on has the end of the last word still to come.
    index === terms.length - 1 && term.length >= 3 ? `${term}:*` : term,
    ...corrections.filter((correction) => correction.term === term).map(({ word }) => word),
  ]);
}

/** For words that no content of the project has: those nearest by letters. Two exchanged letters are a distance of two. */
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

const FILTER = `
  i.project = $1 AND i.status = 'active' AND i.search @@ to_tsquery('content_stems', $2)
  AND ($3::text IS NULL OR i.source = $3) AND ($4::boolean IS NULL OR i.public = $4)
  AND ($5::text[] IS NULL OR i.tags && $5)`;

const COUNT = `SELECT count(*) AS total FROM content_items i WHERE ${FILTER}`;

/** Snippets are cut for the page alone: they read the whole text. */
const SEARCH = `
  SELECT c.id, c.title, c.slug, c.body, c.source, c.kind, c.public, c.tags, c.created_at, c.updated_at, found.score,
         ts_headline('content_stems', c.body, to_tsquery('content_stems', $2),
                     'StartSel="", StopSel="", MaxFragments=2, MinWords=10, MaxWords=30, FragmentDelimiter=" … "') AS snippet
    FROM (SELECT i.id,
                 (CASE WHEN i.search @@ to_tsquery('content_stems', $6) THEN 1 ELSE 0 END
                  + ts_rank('{0, 0.3, 0.6, 1}', i.search, to_tsquery('content_stems', $2), 1)
                  + word_similarity($7, i.title) / 2)::float8 AS score
            FROM content_items i WHERE ${FILTER}
           ORDER BY score DESC, i.id LIMIT $8 OFFSET $9) found
    JOIN content_items c USING (id)
   ORDER BY found.score DESC, c.id`;
