/** The vector of a search text, and the vectors that it is compared with. */
export interface SearchVector {
  vector: readonly number[];
  /** The generation of the project's vectors. */
  generation: number;
  /** Whether an index finds the nearest vectors; without it, they are compared one by one. */
  isIndexed: boolean;
}

/** Longest vector that pgvector indexes. */
export const MOST_DIMENSIONS = 2_000;
/** Limit of the vectors that are compared one by one, after the filters. */
const MOST_COMPARED = 20_000;
/** Limit of the nearest vectors, of which several may be of one content item. */
const MOST_NEAREST = 100;
/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): places near the top differ little. */
const RANK_CONSTANT = 60;

/** SQL conditions on a content item `i` and on a passage `i`. */
export interface NearestFilters {
  item: string;
  passage: string;
}

/**
 * SQL: ids of content items and passages by the distance of their nearest part, with their rank and the number of that part. `$1` is the
 * project.
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

/** SQL: the score of an id by its ranks in several lists, for use with `GROUP BY id`. */
export const FUSED_SCORE = `sum(1.0 / (${RANK_CONSTANT} + rank))::float8`;

/** Part of a statement's name: statements differ by the length of vectors, which is in their text. */
export const nearestName = ({ vector: { length }, isIndexed }: SearchVector): string =>
  `${length}${isIndexed ? '-indexed' : ''}`;
