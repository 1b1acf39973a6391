import { ADVISORY_LOCKS, type Database } from '@millwright/db';
import type { FileStorage } from '@millwright/files';
import type { Logger } from '@millwright/http/process';
import { createFileStore } from './files.store.js';

export interface FileSweepOptions {
  db: Database;
  storage: FileStorage;
  /**
   * Minimum age of removed files, in milliseconds. It must be longer than an upload takes (at most five minutes), because the row of a file is
   * written after the file.
   */
  minAgeMs?: number;
  /** Ends the sweep after the current batch. */
  signal?: AbortSignal;
}

/** Removes files without a row and unfinished uploads, in one process at a time. @returns the number of removed files */
export async function sweepFiles({ db, storage, minAgeMs = 3_600_000, signal }: FileSweepOptions): Promise<number> {
  const files = createFileStore(db);
  const before = new Date(Date.now() - minAgeMs);
  let removed = await storage.removeBegun(before);
  for await (const ids of storage.list(before)) {
    if (signal?.aborted) return removed;
    const orphans = await db.transaction(async (tx) => {
      const [lock] = await tx.$queryRaw<[{ held: boolean }]>`
        SELECT pg_try_advisory_xact_lock(hashtextextended('file-sweep', ${ADVISORY_LOCKS.named})) AS held`;
      if (!lock.held) return undefined;
      const found = await files.withoutRow(tx, ids);
      await storage.remove(found);
      return found;
    });
    if (!orphans) return removed;
    removed += orphans.length;
  }
  return removed;
}

const INTERVAL_MS = 3_600_000;

/** Sweeps now and every hour. @returns a function that stops the sweeps and waits for the current batch */
export function startFileSweep(options: FileSweepOptions & { logger: Logger }): () => Promise<void> {
  const { logger } = options;
  const stopping = new AbortController();
  let running = Promise.resolve();
  const sweep = () => {
    running = sweepFiles({ ...options, signal: stopping.signal }).then(
      (removed) => {
        if (removed > 0) logger.info({ removed }, 'files that no row has are removed');
      },
      (err: unknown) => logger.warn({ err }, 'files could not be swept; the next hour tries again'),
    );
  };
  sweep();
  const timer = setInterval(sweep, INTERVAL_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
