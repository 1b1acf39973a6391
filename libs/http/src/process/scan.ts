/** A search for work that is repeated at an interval. */
export interface Scan {
  /** Begins the searches, the first one after the interval. They do not keep the process running. */
  start: () => void;
  /** Begins no further search, and waits for the search that is in progress. */
  close: () => Promise<void>;
}

/**
 * Searches for work at an interval, one search at a time. When a search is still in progress at the time of the next one, the next one is
 * skipped.
 *
 * @param onError receives the error of a failed search; the search is repeated at the next time
 */
export function createScan(search: () => Promise<unknown>, intervalMs: number, onError: (err: unknown) => void): Scan {
  let timer: NodeJS.Timeout | undefined;
  let inProgress: Promise<unknown> | undefined;

  function scan(): void {
    inProgress ??= search()
      .catch(onError)
      .finally(() => (inProgress = undefined));
  }

  return {
    start() {
      timer ??= setInterval(scan, intervalMs).unref();
    },
    async close() {
      clearInterval(timer);
      await inProgress;
    },
  };
}
