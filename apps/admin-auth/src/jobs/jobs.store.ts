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

export interface LastEnd {
  job: string;
  /** End of the job's latest run, successful or not. */
  ended_at: Date | null;
  succeeded_at: Date | null;
}

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

    /** Reads when the last run and the last successful run of each job ended, on any replica. */
    lastEnds: (jobs: readonly string[]): Promise<LastEnd[]> =>
      db.prepared<LastEnd>(
        'last-job-ends',
        `SELECT name AS job,
           (SELECT finished_at FROM job_runs WHERE job = name AND finished_at IS NOT NULL ORDER BY tick DESC LIMIT 1) AS ended_at,
           (SELECT finished_at FROM job_runs WHERE job = name AND outcome = 'succeeded' ORDER BY tick DESC LIMIT 1) AS succeeded_at
         FROM unnest($1::text[]) name`,
        [jobs],
      ),
  };
}
export type JobsStore = ReturnType<typeof createJobsStore>;
