import type { Database, Tx } from '@millwright/db';
import type { CutPassage } from '@millwright/documents';
import type { KnowledgeFailure } from './knowledge.contract.js';
import { activatePassages, PART, sweepPassages, writePassages, type PassageOwner } from './passages.js';

/** A file that this process indexes until the lease ends. Writes of an earlier `attempt` are refused. */
export interface IndexWork {
  file_id: string;
  project: string;
  tags: string[];
  attempt: number;
  tries: number;
  path: string;
  content_type: string;
}

/**
 * Length of a lease in minutes. It is longer than the reading of a file takes, even on a busy machine. Each written part of the passages renews the
 * lease.
 */
const LEASE_MINUTES = 10;

/** Claims the file that is due first in the first project whose id is greater than `$1`. */
const CLAIM = `
  WITH due AS (
    SELECT k.file_id FROM file_knowledge k
     WHERE k.state IN ('waiting', 'indexing') AND k.next_at <= now() AND k.project > $1
     ORDER BY k.project, k.next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  UPDATE file_knowledge k
     SET state = 'indexing', attempt = nextval('knowledge_attempts'), tries = k.tries + 1, passages = 0, updated_at = now(),
         next_at = now() + interval '${LEASE_MINUTES} minutes'
    FROM due, files f
   WHERE k.file_id = due.file_id AND f.id = k.file_id
  RETURNING k.file_id, k.project, k.tags, k.attempt, k.tries, f.path, f.content_type`;

const ownerOf = ({ file_id: id, path, ...work }: IndexWork): PassageOwner => ({
  ...work,
  id,
  name: path.split('/').at(-1) ?? path,
});

/** Thrown when another process, a new request or a deletion has taken over the file. */
export class IndexingLost extends Error {}

/** Writes the rows of the index. Writes of a former attempt fail with `IndexingLost`. */
export function createIndexerStore(db: Database) {
  /** Project of the file that this process claimed last. */
  let lastProject = '';

  /** Renews the lease in the transaction, so that only the current attempt can commit changes. @throws IndexingLost for a former attempt */
  async function requireLease(tx: Tx, { file_id, attempt }: IndexWork, passages: number): Promise<void> {
    const renewed = await tx.$executeRaw`
      UPDATE file_knowledge
         SET passages = ${passages}, updated_at = now(), next_at = now() + make_interval(mins => ${LEASE_MINUTES})
       WHERE file_id = ${file_id}::uuid AND attempt = ${attempt} AND state = 'indexing'`;
    if (renewed === 0) throw new IndexingLost();
  }

  return {
    /**
     * Claims a file. Projects take turns in the order of their ids, so that the files of one project do not wait for all files of another project.
     */
    async claim(): Promise<IndexWork | undefined> {
      const claimAfter = (project: string) => db.prepared<IndexWork>('claim-file-to-index', CLAIM, [project]);
      const [work] = await claimAfter(lastProject);
      const [first] = work || lastProject === '' ? [work] : await claimAfter('');
      lastProject = first?.project ?? '';
      return first;
    },

    /** Writes the passages in parts. Search finds none of them before `finish`. */
    write: (work: IndexWork, passages: readonly CutPassage[]): Promise<void> =>
      writePassages(db, ownerOf(work), passages, (tx, written) => requireLease(tx, work, written)),

    /** Makes search find the passages of this attempt instead of the passages of earlier attempts. */
    finish: (work: IndexWork, count: number): Promise<void> =>
      db.transaction(async (tx) => {
        await requireLease(tx, work, count);
        await activatePassages(tx, ownerOf(work));
        await tx.$executeRaw`
          UPDATE file_knowledge SET state = 'ready', failure = NULL, version = version + 1 WHERE file_id = ${work.file_id}::uuid`;
      }),

    /** Deletes, in parts, the passages of this and earlier attempts that search does not find. */
    sweep: (work: IndexWork): Promise<void> => sweepPassages(db, ownerOf(work)),

    /** Deletes a part of the passages of deleted knowledge. @returns whether there may be more */
    forgetPart: (): Promise<boolean> =>
      db.transaction(async (tx) => {
        const [deleted] = await tx.$queryRaw<{ file_id: string; attempt: number }[]>`
          SELECT file_id, attempt FROM deleted_knowledge ORDER BY file_id, attempt LIMIT 1 FOR UPDATE SKIP LOCKED`;
        if (!deleted) return false;
        const { file_id, attempt } = deleted;
        const passages = await tx.$executeRaw`
          DELETE FROM passages WHERE id = ANY (ARRAY(
            SELECT id FROM passages WHERE file_id = ${file_id}::uuid AND attempt <= ${attempt} LIMIT ${PART}))`;
        if (passages < PART)
          await tx.$executeRaw`DELETE FROM deleted_knowledge WHERE file_id = ${file_id}::uuid AND attempt = ${attempt}`;
        return true;
      }),

    async fail({ file_id, attempt }: IndexWork, failure: KnowledgeFailure): Promise<void> {
      const text = `
        UPDATE file_knowledge SET state = 'failed', failure = $3, passages = 0, version = version + 1, updated_at = now()
         WHERE file_id = $1 AND attempt = $2`;
      await db.prepared('fail-file-to-index', text, [file_id, attempt, failure]);
    },

    /** Ends the lease of this process. After the pause, any process may take the file. */
    async release({ file_id, attempt }: IndexWork, pauseSeconds: number, tries: number): Promise<void> {
      const text = `
        UPDATE file_knowledge SET state = 'waiting', tries = $4, next_at = now() + make_interval(secs => $3)
         WHERE file_id = $1 AND attempt = $2 AND state = 'indexing'`;
      await db.prepared('release-file-to-index', text, [file_id, attempt, pauseSeconds, tries]);
    },
  };
}
