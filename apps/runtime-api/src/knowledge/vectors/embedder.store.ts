import type { Project } from '@millwright/auth';
import { FIRST_ID, newId, Prisma, type Database, type Tx } from '@millwright/db';
import type { EmbeddingModel, VectorFailure } from './embed-texts.js';

/** The kinds of records that have texts. After a change of the model, the texts are listed as work in this order of their records. */
const LISTINGS = ['items', 'files', 'sources'] as const;
export type Listing = (typeof LISTINGS)[number];

/** A project whose vectors this process makes until the lease ends. Writes of an earlier `attempt` are refused. */
export interface VectorLease extends Omit<EmbeddingModel, 'model'> {
  project: Project;
  /** Null when the project has no embedding model any more, and its vectors are only deleted. */
  model: string | null;
  generation: number;
  /** The kind of records whose texts are listed as work next; null when all kinds are listed. */
  listing: Listing | null;
  attempt: number;
  tries: number;
  updated_by: string;
}

/** An item or a passage that has no vectors of its current text. */
export interface VectorOwner {
  text_id: string;
  number: bigint;
  kind: 'item' | 'passage';
  title: string;
  body: string;
}

/** The vectors of an owner. An empty list means that the model refused the text. */
export interface MadeVectors {
  owner: VectorOwner;
  vectors: readonly (readonly number[])[];
}

/** Thrown when another process or a changed setting has taken over the project. */
export class VectorsLost extends Error {}

const LEASE_MINUTES = 5;
/** Limits of the rows that one statement changes. */
const MOST_DELETED = 500;
const MOST_LISTED: Readonly<Record<Listing, number>> = { items: 1_000, files: 20, sources: 20 };
const MOST_OWNERS = 16;
const MOST_WRITTEN = 50;

/** Claims the project that is due first. Without pgvector, only projects whose vectors must be deleted are claimed. */
const CLAIM = `
  UPDATE knowledge_search s SET attempt = s.attempt + 1, next_at = now() + interval '${LEASE_MINUTES} minutes'
    FROM (SELECT k.project FROM knowledge_search k
           WHERE k.next_at <= now() AND (k.model IS NULL OR $1)
             AND (k.state <> 'ready' OR EXISTS (SELECT FROM vector_work w WHERE w.project = k.project))
           ORDER BY k.next_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
   WHERE s.project = due.project
  RETURNING s.project, s.model, s.dimensions, s.length, s.generation, s.listing, s.attempt, s.tries, s.updated_by`;

const LISTED_ROWS: Readonly<Record<Listing, Prisma.Sql>> = {
  items: Prisma.sql`content_items`,
  files: Prisma.sql`(SELECT file_id AS id, project, created_at FROM file_knowledge)`,
  sources: Prisma.sql`knowledge_sources`,
};

const OWNERS = `
  SELECT w.text_id, w.number, o.kind, o.title, o.body
    FROM (SELECT text_id, number FROM vector_work WHERE project = $1 ORDER BY number LIMIT ${MOST_OWNERS}) w
    LEFT JOIN LATERAL (SELECT 'item' AS kind, i.title, i.body FROM content_items i WHERE i.id = w.text_id AND i.status = 'active'
                       UNION ALL SELECT 'passage', p.title, p.body FROM passages p WHERE p.id = w.text_id AND p.status = 'active') o ON true
   ORDER BY w.number`;

/** Writes the vectors of projects. Writes of a former attempt or setting fail with `VectorsLost`. */
export function createEmbedderStore(db: Database) {
  /**
   * Renews the lease in the transaction, so that only the current attempt can commit changes. @throws VectorsLost for a former attempt, or when the
   * setting has changed
   */
  async function requireLease(tx: Tx, { project, attempt, generation }: VectorLease): Promise<void> {
    const renewed = await tx.$executeRaw`
      UPDATE knowledge_search SET next_at = now() + make_interval(mins => ${LEASE_MINUTES})
       WHERE project = ${project} AND attempt = ${attempt} AND generation = ${generation}`;
    if (renewed === 0) throw new VectorsLost();
  }

  const inLease = <Result>(lease: VectorLease, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    db.transaction(async (tx) => {
      await requireLease(tx, lease);
      return work(tx);
    });

  /** Removes owners from the work, because they were deleted or are not active. */
  const forget = (lease: VectorLease, owners: readonly Pick<VectorOwner, 'text_id' | 'number'>[]) =>
    inLease(
      lease,
      (tx) => tx.$executeRaw`
        DELETE FROM vector_work w USING unnest(${owners.map(({ text_id: id }) => id)}::uuid[], ${owners.map(({ number }) => number)}::bigint[]) AS o (id, number)
         WHERE w.text_id = o.id AND w.number = o.number`,
    );

  return {
    async claim(hasPgvector: boolean): Promise<VectorLease | undefined> {
      return (await db.prepared<VectorLease>('claim-vector-work', CLAIM, [hasPgvector]))[0];
    },

    /**
     * Deletes a part of the vectors of earlier generations and, for a project without a model, of the listed work.
     * @returns whether there may be more to delete
     */
    deletePart: (lease: VectorLease): Promise<boolean> =>
      inLease(lease, async (tx) => {
        const { project, generation, model } = lease;
        const vectors = await tx.$executeRaw`
          DELETE FROM content_vectors WHERE id = ANY (ARRAY(
            SELECT id FROM content_vectors WHERE project = ${project} AND generation < ${generation} LIMIT ${MOST_DELETED}))`;
        const work =
          model === null
            ? await tx.$executeRaw`
                DELETE FROM vector_work WHERE text_id = ANY (ARRAY(
                  SELECT text_id FROM vector_work WHERE project = ${project} LIMIT ${MOST_DELETED}))`
            : 0;
        return vectors + work > 0;
      }),

    /** Lists a part of the project's texts as work. @returns the kind of records to list next; null when all kinds are listed */
    listPart: (lease: VectorLease & { listing: Listing }): Promise<VectorLease['listing']> =>
      inLease(lease, async (tx) => {
        const { project, listing } = lease;
        const listed = await tx.$queryRaw<{ id: string; at: Date }[]>`
          SELECT r.id, r.created_at AS at FROM ${LISTED_ROWS[listing]} r, knowledge_search s
           WHERE s.project = ${project} AND r.project = s.project
             AND (r.created_at, r.id) > (coalesce(s.listed_at, '-infinity'), coalesce(s.listed_id, ${FIRST_ID}::uuid))
           ORDER BY r.created_at, r.id LIMIT ${MOST_LISTED[listing]}`;
        const ids = listed.map(({ id }) => id);
        const texts = listing === 'items' ? Prisma.sql`content_items WHERE id` : Prisma.sql`passages WHERE file_id`;
        await tx.$executeRaw`
          INSERT INTO vector_work (text_id, project) SELECT id, project FROM ${texts} = ANY(${ids}::uuid[]) AND status = 'active'
          ON CONFLICT DO NOTHING`;
        const last = listed.at(-1);
        const next = last ? listing : (LISTINGS[LISTINGS.indexOf(listing) + 1] ?? null);
        await tx.$executeRaw`
          UPDATE knowledge_search SET listing = ${next}, state = CASE WHEN ${next}::text IS NULL THEN 'indexing' ELSE state END,
                 listed_at = ${last?.at ?? null}::timestamptz,
                 listed_id = ${last?.id ?? null}::uuid
           WHERE project = ${project}`;
        return next;
      }),

    /**
     * Returns the next owners whose vectors must be made, without owners that were deleted or are inactive.
     * @returns undefined when there is no work
     */
    async nextOwners(lease: VectorLease): Promise<VectorOwner[] | undefined> {
      const rows = await db.prepared<
        { text_id: string; number: string } & Record<'kind' | 'title' | 'body', string | null>
      >('next-vector-owners', OWNERS, [lease.project]);
      if (rows.length === 0) return undefined;
      const owners = rows.map((row) => ({ ...row, number: BigInt(row.number) }));
      const gone = owners.filter(({ kind }) => kind === null);
      if (gone.length > 0) await forget(lease, gone);
      return owners.filter((owner): owner is VectorOwner => owner.kind !== null);
    },

    /** Replaces the vectors of those owners whose text has not changed in the meantime. */
    store: (lease: VectorLease, made: readonly MadeVectors[]): Promise<void> =>
      inLease(lease, async (tx) => {
        const { project, generation } = lease;
        const idsOf = (kind: VectorOwner['kind']) =>
          made.flatMap(({ owner }) => (owner.kind === kind ? [owner.text_id] : []));
        // Locks the owners before their vectors. A deletion locks in the same order, so no deadlock is possible.
        const items = await tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM content_items WHERE id = ANY(${idsOf('item')}::uuid[]) ORDER BY id FOR KEY SHARE`;
        const passages = await tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM passages WHERE id = ANY(${idsOf('passage')}::uuid[]) ORDER BY id FOR KEY SHARE`;
        const present = new Set([...items, ...passages].map(({ id }) => id));
        const numbers = made.map(({ owner }) => owner.number);
        const done = await tx.$queryRaw<{ text_id: string }[]>`
          DELETE FROM vector_work w USING unnest(${made.map(({ owner }) => owner.text_id)}::uuid[], ${numbers}::bigint[]) AS o (id, number)
           WHERE w.text_id = o.id AND w.number = o.number RETURNING w.text_id`;
        const unchanged = new Set(done.map(({ text_id: id }) => id));
        const kept = made.filter(({ owner }) => unchanged.has(owner.text_id) && present.has(owner.text_id));
        const ids = kept.map(({ owner }) => owner.text_id);
        await tx.$executeRaw`
          DELETE FROM content_vectors WHERE item_id = ANY(${ids}::uuid[]) OR passage_id = ANY(${ids}::uuid[])`;
        const rows = kept.flatMap(({ owner: { text_id: id, kind }, vectors }) =>
          vectors.map((vector, index) => ({ id, kind, place: index + 1, vector: `{${vector.join()}}` })),
        );
        for (let from = 0; from < rows.length; from += MOST_WRITTEN) {
          const part = rows.slice(from, from + MOST_WRITTEN);
          await tx.$executeRaw`
            INSERT INTO content_vectors (id, project, item_id, passage_id, generation, place, length, vector)
            SELECT v.id, ${project}, CASE v.kind WHEN 'item' THEN v.owner END, CASE v.kind WHEN 'passage' THEN v.owner END, ${generation}, v.place,
                   cardinality(v.vector::real[]), v.vector::real[]
              FROM unnest(${part.map(() => newId())}::uuid[], ${part.map(({ id }) => id)}::uuid[], ${part.map(({ kind }) => kind)}::text[],
                          ${part.map(({ place }) => place)}::int[], ${part.map(({ vector }) => vector)}::text[]) AS v (id, owner, kind, place, vector)`;
        }
        const refused = kept.filter(({ vectors }) => vectors.length === 0).length;
        const length = kept.flatMap(({ vectors }) => vectors)[0]?.length ?? null;
        await tx.$executeRaw`
          UPDATE knowledge_search SET length = coalesce(length, ${length}::int), refused = refused + ${refused}, failure = NULL, failed_at = NULL, tries = 0
           WHERE project = ${project}`;
      }),

    /** Ends the work on the project when all its vectors are made or deleted. */
    finish: (lease: VectorLease): Promise<void> =>
      inLease(lease, async (tx) => {
        await tx.$executeRaw`
          UPDATE knowledge_search SET state = 'ready', listing = NULL, failure = NULL, failed_at = NULL, tries = 0, next_at = now()
           WHERE project = ${lease.project}`;
      }),

    /** Ends the lease of this process, and stores the failure, if any. After the pause, any process may continue. */
    async release({ project, attempt }: VectorLease, pauseSeconds = 0, failure?: VectorFailure): Promise<void> {
      const text = `
        UPDATE knowledge_search SET next_at = now() + make_interval(secs => $3), failure = coalesce($4, failure),
               failed_at = CASE WHEN $4::text IS NULL THEN failed_at ELSE now() END, tries = tries + CASE WHEN $4::text IS NULL THEN 0 ELSE 1 END
         WHERE project = $1 AND attempt = $2`;
      await db.prepared('release-vector-work', text, [project, attempt, pauseSeconds, failure ?? null]);
    },
  };
}
export type EmbedderStore = ReturnType<typeof createEmbedderStore>;
