import { createWatchers } from '@millwright/db/notifications';

/**
 * NOTIFY channel of PostgreSQL for changes of runs. The payload is a list of runs' UUIDs, separated by commas. ` ended`
 * follows a UUID when the run has ended, and ` queued` when a process of the runtime API has to take the run.
 */
export const RUNS = 'millwright_runs';
const SEPARATOR = ',';

/** The content of a notification about a run. */
export type NotifiedChange = 'changed' | 'queued' | 'ended';
const SUFFIXES: Readonly<Record<NotifiedChange, string>> = { changed: '', queued: ' queued', ended: ' ended' };

/** Maximum number of entries per payload. PostgreSQL's limit is 7,999 bytes; an entry with its separator has at most 44 bytes. */
const MOST_ENTRIES = 180;

/** Called for each change of a run by any process. */
export type OnChange = (ended: boolean) => void;

export interface RunSignals {
  /** @returns a function that ends the watch */
  watch: (runId: string, onChange: OnChange) => () => void;
  /** Calls the function for each notification that runs are queued. @returns a function that ends the watch */
  watchQueue: (onQueued: () => void) => () => void;
  /** Call this with the payload of each notification on the channel. Calls the watchers of the runs in it. */
  hear: (payload: string) => void;
}

/** The payloads that report these changes. The key of a change is the run's UUID. */
export function toPayloads(changes: ReadonlyMap<string, NotifiedChange>): string[] {
  const entries = [...changes].map(([runId, change]) => runId + SUFFIXES[change]);
  return Array.from({ length: Math.ceil(entries.length / MOST_ENTRIES) }, (_, page) =>
    entries.slice(page * MOST_ENTRIES, (page + 1) * MOST_ENTRIES).join(SEPARATOR),
  );
}

/**
 * Passes notifications about runs to the watchers within this process. A notification may be lost, so watchers also
 * poll their run.
 */
export function createRunSignals(): RunSignals {
  const watchers = createWatchers<boolean>();
  const ofQueue = new Set<() => void>();
  return {
    watch: watchers.watch,
    watchQueue: (onQueued) => {
      ofQueue.add(onQueued);
      return () => ofQueue.delete(onQueued);
    },
    hear: (payload) => {
      const entries = payload.split(SEPARATOR);
      for (const entry of entries) {
        const [runId = ''] = entry.split(' ', 1);
        watchers.notify(runId, entry.endsWith(SUFFIXES.ended));
      }
      if (entries.some((entry) => entry.endsWith(SUFFIXES.queued))) for (const onQueued of ofQueue) onQueued();
    },
  };
}
