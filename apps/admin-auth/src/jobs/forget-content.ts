import type { Tx } from '@millwright/db';

/** Runs `work` in a separate transaction. */
type Step = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** Maximum number of words that a step deletes. Each word needs one index lookup. */
const WORDS_PER_STEP = 100;

/**
 * Deletes words of deleted or changed content from the search dictionary, unless other content of the project contains a form of the word.
 *
 * @returns the number of deleted words
 */
export async function forgetContent(step: Step): Promise<{ words: number }> {
  let words = 0;
  for (;;) {
    const { left, forgotten } = await step(forgetWords);
    words += forgotten;
    if (left < WORDS_PER_STEP) return { words };
  }
}

async function forgetWords(tx: Tx): Promise<{ left: number; forgotten: number }> {
  const [counts] = await tx.$queryRaw<[{ left: number; forgotten: number }]>`
    WITH gone AS (
      DELETE FROM content_words_left WHERE id = ANY (ARRAY(
        SELECT id FROM content_words_left LIMIT ${WORDS_PER_STEP} FOR UPDATE SKIP LOCKED))
      RETURNING project, word),
    -- Stop words have no stem. They are in every text.
    unused AS (
      SELECT g.project, g.stem
        FROM (SELECT DISTINCT project, plainto_tsquery('content_stems', word) AS stem FROM gone) g
       WHERE g.stem::text <> ''
         AND NOT EXISTS (SELECT FROM content_items i WHERE i.project = g.project AND i.search @@ g.stem)
         AND NOT EXISTS (SELECT FROM passages p WHERE p.project = g.project AND p.search @@ g.stem)),
    -- Stems are cut at the end: all forms of a word begin with its stem but the last letter.
    forgotten AS (
      DELETE FROM content_words w USING unused u
       WHERE w.project = u.project
         AND w.word LIKE left(trim(u.stem::text, ''''), greatest(3, length(u.stem::text) - 3)) || '%'
         AND plainto_tsquery('content_stems', w.word) = u.stem
      RETURNING w.word)
    SELECT (SELECT count(*) FROM gone)::int AS left, (SELECT count(*) FROM forgotten)::int AS forgotten`;
  return counts;
}
