import type { Database } from '@millwright/db';

export interface RunRow {
  job: string;
  tick: Date;
  origin: 'schedule' | 'manual';
  started_at: Date | null;
  finished_at: Date | null;
  outcome: 'succeeded' | 'failed' | 'refused' | null;
  detail: Record<string, unknown>;
}

const RUNS_SHOWN = 10;

export function createJobsStore(db: Database) {
  return {
    /** The last runs of each job, latest first. */
    lastRuns: (jobs: readonly string[]): Promise<RunRow[]> =>
      db.prepared<RunRow>(
        'last-job-runs',
        `SELECT run.* FROM unnest($1::text[]) name, LATERAL (
           SELECT job, tick, origin, started_at, finished_at, outcome, detail FROM job_runs
            WHERE job = name ORDER BY tick DESC LIMIT ${RUNS_SHOWN}) run ORDER BY job, tick DESC`,
        [jobs],
      ),
  };
}
export type JobsStore = ReturnType<typeof createJobsStore>;
