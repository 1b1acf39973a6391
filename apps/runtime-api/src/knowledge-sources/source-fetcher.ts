import { createHash } from 'node:crypto';
import type { Database } from '@millwright/db';
import { quotaRefusal } from '@millwright/db/quotas';
import { runExtraction, type ExtractionBudget } from '@millwright/documents';
import type { Egress } from '@millwright/egress';
import { createScan, type Logger } from '@millwright/http/process';
import { fetchDocument, NotFetched, type FetchedDocument } from './fetch-document.js';
import type { SourceFailure } from './knowledge-sources.contract.js';
import { nextFetchAt } from './schedule.js';
import { createSourceFetcherStore, FetchLost, type FetchWork } from './source-fetcher.store.js';

/** Interval at which a process looks for sources to fetch, in milliseconds. */
const LOOK_MS = 1_000;
/** Limit of the documents that a process fetches at the same time. The process reads the text of only one document at a time. */
const MOST_AT_ONCE = 3;
/** Pauses in minutes before a failed fetch is repeated. After the last retry, the source is fetched only at its scheduled times. */
const RETRY_MINUTES = [1, 5, 15];
/** Limit of attempts for a source. It is reached when the process dies or an unexpected error occurs in each attempt. */
const MAX_TRIES = 5;
const PAUSE_SECONDS = 30;

export interface SourceFetcherOptions {
  db: Database;
  request: Egress['request'];
  logger: Logger;
  extraction?: ExtractionBudget | undefined;
  now?: () => Date;
}

/**
 * Fetches knowledge sources that are due, a few at a time in each process, reads their text in a thread and writes its passages. A document
 * is not read again when its server reports that it has not changed, or when its bytes are the same. Until new passages are complete,
 * searches find the passages of the last successful fetch. The work is stored in rows, so that another process can continue it when this
 * process ends.
 */
export function createSourceFetcher({ db, request, logger, extraction, now = () => new Date() }: SourceFetcherOptions) {
  const store = createSourceFetcherStore(db);
  const stopping = new AbortController();
  const { signal } = stopping;
  const underWay = new Set<Promise<void>>();
  let reading: Promise<unknown> = Promise.resolve();

  /** Runs `work` after the work of all earlier calls has ended, so that only one document is read at a time. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = reading.then(work);
    reading = turn.catch(() => undefined);
    return turn;
  }

  async function read(work: FetchWork, document: FetchedDocument & { sha256: Uint8Array }): Promise<void> {
    signal.throwIfAborted();
    await store.renew(work);
    const { bytes, name, contentType } = document;
    const extracted = await runExtraction({ bytes, name, contentType }, extraction, signal);
    if ('failure' in extracted) return fail(work, extracted.failure);
    await store.write(work, extracted.passages);
    await store.finish(work, document, extracted.passages.length, nextFetchAt(work, now()));
  }

  async function refresh(work: FetchWork): Promise<void> {
    await store.sweep({ id: work.id, attempt: work.attempt - 1 });
    const document = await fetchDocument(work.url, work, { request, project: work.project, signal });
    if (!document) return store.keep(work, work, nextFetchAt(work, now()));
    const sha256 = createHash('sha256').update(document.bytes).digest();
    if (work.sha256 !== null && sha256.equals(work.sha256)) return store.keep(work, document, nextFetchAt(work, now()));
    await inTurn(() => read(work, { ...document, sha256 }));
    await store.sweep(work);
  }

  async function fail(work: FetchWork, failure: SourceFailure, status: number | null = null, isTransient = false) {
    const scheduled = nextFetchAt(work, now());
    const minutes = isTransient ? RETRY_MINUTES[work.tries - 1] : undefined;
    const again = minutes === undefined ? null : new Date(now().getTime() + minutes * 60_000);
    const isRetry = again !== null && (scheduled === null || again < scheduled);
    await store.fail(work, { failure, status }, { at: isRetry ? again : scheduled, isRetry });
  }

  async function take(work: FetchWork): Promise<void> {
    const { id: source, tries } = work;
    try {
      if (tries > MAX_TRIES) await fail(work, 'interrupted');
      else await refresh(work);
    } catch (err) {
      if (err instanceof FetchLost) return;
      if (err instanceof NotFetched) return fail(work, err.failure, err.status, err.isTransient);
      if (quotaRefusal(err)) {
        await fail(work, 'quota');
        return store.sweep(work);
      }
      if (signal.aborted) return store.release(work, 0, tries - 1);
      logger.warn({ err, source }, 'a knowledge source could not be read; it is tried again');
      await store.release(work, PAUSE_SECONDS * tries, tries);
    }
  }

  function begin(work: FetchWork): void {
    const task = take(work)
      .catch((err: unknown) => logger.warn({ err, source: work.id }, 'the end of a fetch could not be stored'))
      .finally(() => underWay.delete(task));
    underWay.add(task);
  }

  async function look(): Promise<void> {
    while (!signal.aborted && underWay.size < MOST_AT_ONCE) {
      const work = await store.claim();
      if (!work) return;
      begin(work);
    }
  }

  const scan = createScan(look, LOOK_MS, (err) => logger.warn({ err }, 'knowledge sources could not be fetched'));

  return {
    start: scan.start,
    /** Stops fetches that are in progress. Another process continues them. */
    async close(): Promise<void> {
      stopping.abort();
      await scan.close();
      await Promise.all(underWay);
    },
  };
}
export type SourceFetcher = ReturnType<typeof createSourceFetcher>;
