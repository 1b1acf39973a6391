import { createWatchers } from '@millwright/db/notifications';

/**
 * PostgreSQL's NOTIFY channel for changes of runs. The payload is a comma-separated list of `<run's UUID>`, each followed by ` ended`
 * when the run has ended.
 */
export const RUNS = 'millwright_runs';
const ENDED = ' ended';
const SEPARATOR = ',';

/** PostgreSQL's limit of a payload is 7,999 bytes; an entry with its separator has at most 43 bytes. */
const MOST_ENTRIES = 180;

/** Called for each change of a run by any process. */
export type OnChange = (ended: boolean) => void;

export interface RunSignals {
  /** @returns a function that ends the watch */
  watch: (runId: string, onChange: OnChange) => () => void;
  /** Accepts a notification of the channel. */
  hear: (payload: string) => void;
}

/** The payloads that report these runs. The value of a run is whether the run has ended. */
export function toPayloads(changes: ReadonlyMap<string, boolean>): string[] {
  const entries = [...changes].map(([runId, ended]) => (ended ? runId + ENDED : runId));
  return Array.from({ length: Math.ceil(entries.length / MOST_ENTRIES) }, (_, page) =>
    entries.slice(page * MOST_ENTRIES, (page + 1) * MOST_ENTRIES).join(SEPARATOR),
  );
}

/** Forwards notifications about runs within this process. Watchers also poll the run, because a notification may be lost. */
export function createRunSignals(): RunSignals {
  const watchers = createWatchers<boolean>();
  return {
    watch: watchers.watch,
    hear: (payload) => {
      for (const entry of payload.split(SEPARATOR)) {
        const ended = entry.endsWith(ENDED);
        watchers.notify(ended ? entry.slice(0, -ENDED.length) : entry, ended);
      }
    },
  };
}
