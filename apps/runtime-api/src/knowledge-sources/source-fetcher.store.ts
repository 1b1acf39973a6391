import type { Database, Tx } from '@millwright/db';
import type { CutPassage } from '@millwright/documents';
import { activatePassages, sweepPassages, writePassages } from '../knowledge/passages.js';
import type { FetchedDocument, Validators } from './fetch-document.js';
import type { SourceFailure } from './knowledge-sources.contract.js';

/** A source that this process fetches until the lease ends. Writes of an earlier `attempt` are refused. */
export interface FetchWork extends Validators {
  id: string;
  project: string;
  name: string;
  url: string;
  tags: string[];
  schedule: string | null;
  timezone: string;
  sha256: Uint8Array | null;
  passages: number;
  attempt: number;
  tries: number;
}

/**
 * Length of a lease in minutes. It is longer than a fetch takes, and longer than the reading of a document takes on a busy machine. The lease is
 * renewed before the reading, and with each written part of the passages.
 */
const LEASE_MINUTES = 5;
/**
 * Limit of the sources of a project that are fetched at the same time, so that slow servers of one project do not delay the sources of
 * other projects.
 */
const MOST_OF_PROJECT = 2;

const CLAIM = `
  WITH due AS (
    SELECT s.id FROM knowledge_sources s
     WHERE s.next_at <= now()
       AND (SELECT count(*) FROM (SELECT FROM knowledge_sources o
                                   WHERE o.project = s.project AND o.state = 'fetching' AND o.next_at > now()
                                   LIMIT ${MOST_OF_PROJECT}) fetched) < ${MOST_OF_PROJECT}
     ORDER BY s.next_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED)
  UPDATE knowledge_sources s
     SET state = 'fetching', attempt = nextval('knowledge_attempts'), tries = s.tries + 1,
         next_at = now() + interval '${LEASE_MINUTES} minutes'
    FROM due WHERE s.id = due.id
  RETURNING s.id, s.project, s.name, s.url, s.tags, s.schedule, s.timezone, s.etag, s.last_modified, s.final_url, s.sha256, s.passages,
            s.attempt, s.tries`;

/** Thrown when another process, a change or a deletion has taken over the source. */
export class FetchLost extends Error {}

/** Stores the results of fetches. Writes of a former attempt fail with `FetchLost` or have no effect. */
export function createSourceFetcherStore(db: Database) {
  /** Renews the lease in the transaction, so that only the current attempt can commit changes. @throws FetchLost for a former attempt */
  async function requireLease(tx: Tx, { id, attempt }: FetchWork): Promise<void> {
    const renewed = await tx.$executeRaw`
      UPDATE knowledge_sources SET next_at = now() + make_interval(mins => ${LEASE_MINUTES})
       WHERE id = ${id}::uuid AND attempt = ${attempt} AND state = 'fetching'`;
    if (renewed === 0) throw new FetchLost();
  }

  return {
    async claim(): Promise<FetchWork | undefined> {
      const [work] = await db.prepared<FetchWork>('claim-knowledge-source', CLAIM, []);
      return work;
    },

    renew: (work: FetchWork): Promise<void> => db.transaction((tx) => requireLease(tx, work)),

    /** Writes the passages in parts. Searches find none of them before `finish`. */
    write: (work: FetchWork, passages: readonly CutPassage[]): Promise<void> =>
      writePassages(db, work, passages, (tx) => requireLease(tx, work)),

    /** Makes searches find the passages of this attempt. Also stores the data by which a later fetch recognises an unchanged document. */
    finish: (work: FetchWork, document: FetchedDocument & { sha256: Uint8Array }, count: number, nextAt: Date | null) =>
      db.transaction(async (tx) => {
        await requireLease(tx, work);
        await activatePassages(tx, work);
        await keepUnchanged(tx, work, document, nextAt);
        await tx.$executeRaw`
          UPDATE knowledge_sources SET passages = ${count}, sha256 = ${document.sha256} WHERE id = ${work.id}::uuid`;
      }),

    /** Records that the document has not changed. `validators` are those of the server's last answer. */
    keep: (work: FetchWork, validators: Validators, nextAt: Date | null): Promise<void> =>
      db.transaction(async (tx) => {
        await requireLease(tx, work);
        await keepUnchanged(tx, work, validators, nextAt);
      }),

    /**
     * Stores the failure of a fetch, and the time of the next fetch. `tries` is reset to 0 unless the next fetch is a retry of this one (`isRetry`).
     */
    async fail(
      { id, attempt, tries }: FetchWork,
      { failure, status }: { failure: SourceFailure; status: number | null },
      { at, isRetry }: { at: Date | null; isRetry: boolean },
    ): Promise<void> {
      const text = `
        UPDATE knowledge_sources SET state = 'failed', failure = $3, failure_status = $4, next_at = $5, tries = $6
         WHERE id = $1 AND attempt = $2 AND state = 'fetching'`;
      await db.prepared('fail-knowledge-source', text, [id, attempt, failure, status, at, isRetry ? tries : 0]);
    },

    /** Ends the lease of this process. After the pause, any process may take the source. */
    async release({ id, attempt }: FetchWork, pauseSeconds: number, tries: number): Promise<void> {
      const text = `
        UPDATE knowledge_sources SET state = 'waiting', tries = $4, next_at = now() + make_interval(secs => $3)
         WHERE id = $1 AND attempt = $2 AND state = 'fetching'`;
      await db.prepared('release-knowledge-source', text, [id, attempt, pauseSeconds, tries]);
    },

    sweep: (work: Pick<FetchWork, 'id' | 'attempt'>): Promise<void> => sweepPassages(db, work),
  };
}

async function keepUnchanged(tx: Tx, { id }: FetchWork, validators: Validators, nextAt: Date | null): Promise<void> {
  const { etag, last_modified, final_url } = validators;
  await tx.$executeRaw`
    UPDATE knowledge_sources
       SET state = 'ready', failure = NULL, failure_status = NULL, tries = 0, fetched_at = now(), next_at = ${nextAt},
           etag = ${etag}, last_modified = ${last_modified}, final_url = ${final_url}
     WHERE id = ${id}::uuid`;
}
