import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Database } from '@millwright/db';
import type { Logger, Metrics } from '@millwright/http';
import { loadJobs, startScheduler, type Scheduler } from '@millwright/jobs';
import type { SealKey } from '@millwright/audit';
import { createExtensions, type ExtensionDeps } from './extensions.js';
import { createJobMetrics } from './job-metrics.js';
import { createJobsStore } from './jobs.store.js';

export interface JobsOptions {
  db: Database;
  logger: Logger;
  metrics: Metrics;
  signingKey: () => SealKey;
  mcp: ExtensionDeps['mcp'];
  config: { DATABASE_URL: string; JOBS_FILE?: string | undefined; JOBS_OWNER?: string | undefined };
  /** Of the program: the file that comes with it lies there. */
  programUrl: string;
}

/** Reads the jobs and runs them. @throws ConfigError with everything that is wrong with them. */
export async function startJobs({
  db,
  logger,
  metrics,
  signingKey,
  mcp,
  config,
  programUrl,
}: JobsOptions): Promise<Scheduler> {
  const extensions = createExtensions({ db, signingKey, mcp });
  const jobs = await loadJobs(db, {
    file: config.JOBS_FILE ?? fileBeside(programUrl),
    defaultOwner: config.JOBS_OWNER,
    extensions: Object.keys(extensions),
  });
  const names = jobs.map(({ name }) => name);
  const count = createJobMetrics(metrics, jobs, () => createJobsStore(db).lastEnds(names));
  return startScheduler({
    db,
    databaseUrl: config.DATABASE_URL,
    jobs,
    extensions,
    onRun: (report) => {
      count(report);
      const { job, outcome, seconds, error } = report;
      if (error === undefined) logger.info({ job, outcome, seconds }, 'a job ran');
      else logger.error({ job, outcome, seconds, err: error }, 'a job failed');
    },
    onError: (err) => logger.warn({ err }, 'scheduled jobs are delayed'),
  });
}

/** In an image beside the program, else in the checkout. */
function fileBeside(programUrl: string): string {
  const [image = '', checkout = ''] = ['./config/jobs.yaml', '../../../config/jobs.yaml'].map((path) =>
    fileURLToPath(new URL(path, programUrl)),
  );
  return existsSync(image) ? image : checkout;
}
