import { newId, type Database, type Tx } from '@millwright/db';
import type { CutPassage } from '@millwright/documents';

/**
 * The file or the knowledge source to which passages belong, with the number of the attempt that makes them. The column `file_id` contains its `id`.
 */
export interface PassageOwner {
  id: string;
  project: string;
  tags: string[];
  attempt: number;
  /** First part of the passages' titles. */
  name: string;
}

/**
 * Limit of the passages that one transaction writes or deletes. It keeps transactions short: each passage may add a hundred words, with their
 * trigrams, to the dictionary of search words.
 */
export const PART = 20;
const MAX_TITLE_CHARACTERS = 300;

/** Writes passages in parts. Searches find none of them before `activatePassages`. `requireLease` runs in the transaction of each part. */
export async function writePassages(
  db: Database,
  { id, project, tags, attempt, name }: PassageOwner,
  passages: readonly CutPassage[],
  requireLease: (tx: Tx, written: number) => Promise<void>,
): Promise<void> {
  const titleOf = ({ heading }: CutPassage) =>
    (heading === '' ? name : `${name} › ${heading}`).slice(0, MAX_TITLE_CHARACTERS);
  for (let from = 0; from < passages.length; from += PART) {
    const part = passages.slice(from, from + PART);
    await db.transaction(async (tx) => {
      await requireLease(tx, from + part.length);
      await tx.$executeRaw`
        INSERT INTO passages (id, file_id, project, attempt, place, page, title, body, tags)
        SELECT p.id, ${id}::uuid, ${project}, ${attempt}, p.place, p.page, p.title, p.body, ${tags}
          FROM unnest(${part.map(() => newId())}::uuid[], ${part.map((_, n) => from + n + 1)}::int[],
                      ${part.map(({ page }) => page ?? null)}::int[], ${part.map((passage) => titleOf(passage).toWellFormed())}::text[],
                      ${part.map(({ text }) => text)}::text[]) AS p (id, place, page, title, body)`;
    });
  }
}

type Attempt = Pick<PassageOwner, 'id' | 'attempt'>;

/** Makes searches find the passages of this attempt instead of the passages of earlier attempts. */
export async function activatePassages(tx: Tx, { id, attempt }: Attempt): Promise<void> {
  await tx.$executeRaw`
    UPDATE passages SET status = CASE WHEN attempt = ${attempt} THEN 'active' ELSE 'inactive' END
     WHERE file_id = ${id}::uuid AND (attempt = ${attempt} OR status = 'active')`;
}

/** Deletes, in parts, passages of this and earlier attempts that searches do not find. */
export async function sweepPassages(db: Database, { id, attempt }: Attempt): Promise<void> {
  for (let deleted = PART; deleted === PART;) {
    deleted = await db.transaction(
      (tx) => tx.$executeRaw`
        DELETE FROM passages WHERE id = ANY (ARRAY(
          SELECT id FROM passages WHERE file_id = ${id}::uuid AND attempt <= ${attempt} AND status = 'inactive' LIMIT ${PART}))`,
    );
  }
}
