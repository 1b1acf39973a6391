/** The vector of a search text, and the vectors with which it is compared. */
export interface SearchVector {
  vector: readonly number[];
  /** The generation of the project's vectors that is searched. */
  generation: number;
  /** Whether an index finds the nearest vectors; otherwise all vectors are compared one by one. */
  isIndexed: boolean;
}

/** Maximum length of a vector that pgvector can index. */
export const MOST_DIMENSIONS = 2_000;
/** Maximum number of vectors that are compared one by one. Filters are applied before. */
const MOST_COMPARED = 20_000;
/** Limit of the nearest vectors. Several of them may belong to one content item. */
const MOST_NEAREST = 100;
/**
 * The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). With this constant, ranks near the top
 * differ little in their scores.
 */
const RANK_CONSTANT = 60;

/** SQL conditions, one on a content item `i` and one on a passage `i`. */
export interface NearestFilters {
  item: string;
  passage: string;
}

/**
 * SQL: ids of content items and passages, ordered by the distance of their nearest part, with the rank and the number
 * of that part. `$1` is the project.
 *
 * @param vector SQL of the search vector as `real[]`
 * @param generation SQL of the generation
 */
export function nearestSql(
  { vector: { length }, isIndexed }: SearchVector,
  vector: string,
  generation: string,
  { item, passage }: NearestFilters,
): string {
  const matching = `
    SELECT v.item_id, v.passage_id, v.place, v.vector FROM content_vectors v
     WHERE v.project = $1 AND v.generation = ${generation} AND v.length = ${length}
       AND (EXISTS (SELECT FROM content_items i WHERE i.id = v.item_id AND ${item})
         OR EXISTS (SELECT FROM passages i WHERE i.id = v.passage_id AND ${passage}))`;
  const compared = isIndexed ? `(${matching})` : `(${matching} LIMIT ${MOST_COMPARED})`;
  return `
    SELECT n.id, n.part, row_number() OVER (ORDER BY n.distance, n.id) AS rank FROM (
      SELECT DISTINCT ON (m.id) m.id, m.part, m.distance FROM (
        SELECT coalesce(c.item_id, c.passage_id) AS id, c.place AS part,
               c.vector::vector(${length}) <=> (${vector})::vector(${length}) AS distance
          FROM ${compared} c ORDER BY distance LIMIT ${MOST_NEAREST}) m
       ORDER BY m.id, m.distance) n`;
}

/** SQL: the score of an id from its ranks in several lists. Use it with `GROUP BY id`. */
export const FUSED_SCORE = `sum(1.0 / (${RANK_CONSTANT} + rank))::float8`;

/**
 * Returns a part of a statement's name. The text of the statement contains the length of vectors, so statements for
 * different lengths need different names.
 */
export const nearestName = ({ vector: { length }, isIndexed }: SearchVector): string =>
  `${length}${isIndexed ? '-indexed' : ''}`;
