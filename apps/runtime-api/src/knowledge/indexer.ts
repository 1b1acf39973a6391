import { buffer } from 'node:stream/consumers';
import type { Database } from '@millwright/db';
import { quotaRefusal } from '@millwright/db/quotas';
import { createScan, type Logger } from '@millwright/http/process';
import type { FileStorage } from '@millwright/files';
import { runExtraction, type ExtractionBudget } from '@millwright/documents';
import { createIndexerStore, IndexingLost, type IndexWork } from './indexer.store.js';

/** Interval at which a process looks for files to index, in milliseconds. */
const LOOK_MS = 2_000;
/** Limit of attempts for a file. It is reached when the process dies or an unexpected error occurs in each attempt. */
const MAX_TRIES = 5;
const PAUSE_SECONDS = 30;

export interface IndexerOptions {
  db: Database;
  storage: FileStorage;
  logger: Logger;
  extraction?: ExtractionBudget | undefined;
}

/**
 * Indexes files that are used as knowledge, one at a time in each process. A thread reads the text of the file. Its passages are written in parts,
 * and become searchable once all are written. Between files, passages of deleted knowledge are deleted, a part at a time. The work is stored in rows,
 * so that another process can continue it when this process ends.
 */
export function createIndexer({ db, storage, logger, extraction }: IndexerOptions) {
  const store = createIndexerStore(db);
  const stopping = new AbortController();

  async function index(work: IndexWork): Promise<void> {
    await store.sweep({ ...work, attempt: work.attempt - 1 });
    const bytes = new Uint8Array(await buffer(await storage.read(work.file_id)));
    const source = { bytes, name: work.path, contentType: work.content_type };
    const extracted = await runExtraction(source, extraction, stopping.signal);
    if ('failure' in extracted) return store.fail(work, extracted.failure);
    await store.write(work, extracted.passages);
    await store.finish(work, extracted.passages.length);
    await store.sweep(work);
  }

  async function take(work: IndexWork): Promise<void> {
    const { file_id: file, tries } = work;
    try {
      if (tries > MAX_TRIES) await store.fail(work, 'interrupted');
      else await index(work);
    } catch (err) {
      if (err instanceof IndexingLost) return;
      if (quotaRefusal(err)) {
        await store.fail(work, 'quota');
        await store.sweep(work);
      } else if (stopping.signal.aborted) await store.release(work, 0, tries - 1);
      else {
        logger.warn({ err, file }, 'a file could not be indexed; it is tried again');
        await store.release(work, PAUSE_SECONDS * tries, tries);
      }
    }
  }

  async function look(): Promise<void> {
    while (!stopping.signal.aborted) {
      const work = await store.claim();
      if (work) await take(work);
      const hasForgotten = await store.forgetPart();
      if (!work && !hasForgotten) return;
    }
  }

  const scan = createScan(look, LOOK_MS, (err) => logger.warn({ err }, 'files could not be indexed'));

  return {
    start: scan.start,
    /** Stops the indexing of the current file. */
    async close(): Promise<void> {
      stopping.abort();
      await scan.close();
    },
  };
}
export type Indexer = ReturnType<typeof createIndexer>;
