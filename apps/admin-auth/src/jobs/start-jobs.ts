import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lockSeals } from '@millwright/audit/seal-bucket';
import { sealBucketOf, type SealBucketConfig } from '@millwright/audit/seal-bucket-config';
import { directUrl, type Database } from '@millwright/db';
import type { Logger, Metrics } from '@millwright/http/process';
import { loadJobs, startScheduler, type Scheduler } from '@millwright/jobs';
import type { SealKey, SealNotice } from '@millwright/audit';
import { createJobHandlers, type JobHandlerDeps } from './job-handlers.js';
import { loadTrustedKeys } from '../audit/trusted-keys.js';
import type { SealWebhookConfig } from '../audit/seal-webhook-config.js';
import { createWebhook } from '@millwright/events';
import { createJobMetrics } from './job-metrics.js';
import { createJobsStore } from './jobs.store.js';
import { retentionOf, type RetentionConfig } from './retention-config.js';

export interface JobsOptions {
  db: Database;
  logger: Logger;
  metrics: Metrics;
  signingKey: () => SealKey;
  mcp: JobHandlerDeps['mcp'];
  config: RetentionConfig &
    SealWebhookConfig &
    SealBucketConfig & {
      DATABASE_URL: string;
      DATABASE_DIRECT_URL?: string | undefined;
      JOBS_FILE?: string | undefined;
      JOBS_OWNER?: string | undefined;
      AUDIT_PINNED_KEYS_FILE?: string | undefined;
    };
  /** URL of the program. The default `jobs.yaml` is in the folder of the program. */
  programUrl: string;
}

/** Loads the jobs and runs them. @throws ConfigError with all their faults. */
export async function startJobs({
  db,
  logger,
  metrics,
  signingKey,
  mcp,
  config,
  programUrl,
}: JobsOptions): Promise<Scheduler> {
  const handlers = createJobHandlers({
    db,
    signingKey,
    mcp,
    retention: retentionOf(config),
    auditRetentionDays: config.AUDIT_RETENTION_DAYS,
    trustedKeys: () => loadTrustedKeys(db, config.AUDIT_PINNED_KEYS_FILE),
    seals: { logger, webhook: sealWebhook(config, mcp.fetch), lock: sealLock(config) },
    logger,
  });
  const jobs = await loadJobs(db, {
    file: config.JOBS_FILE ?? fileBeside(programUrl),
    defaultOwner: config.JOBS_OWNER,
    handlers: Object.keys(handlers),
  });
  const names = jobs.map(({ name }) => name);
  const count = createJobMetrics(metrics, jobs, () => createJobsStore(db).lastEnds(names));
  return startScheduler({
    db,
    databaseUrl: directUrl(config),
    jobs,
    handlers,
    onRun: (report) => {
      count(report);
      const { job, outcome, seconds, error } = report;
      if (error === undefined) logger.info({ job, outcome, seconds }, 'a job ran');
      else logger.error({ job, outcome, seconds, err: error }, 'a job failed');
    },
    onError: (err) => logger.warn({ err }, 'scheduled jobs are delayed'),
  });
}

function sealWebhook(config: SealWebhookConfig, fetch: JobHandlerDeps['mcp']['fetch']) {
  const { AUDIT_SEAL_WEBHOOK_URL: url, AUDIT_SEAL_WEBHOOK_SECRET: secret } = config;
  return url === undefined || secret === undefined ? undefined : createWebhook({ url, secret, fetch });
}

function sealLock(config: SealBucketConfig) {
  const bucket = sealBucketOf(config);
  if (!bucket) return undefined;
  return (seals: readonly SealNotice[]) => lockSeals(bucket, seals);
}

/** Returns the path of a file: in the folder of the program in an image, otherwise in the checkout. */
function fileBeside(programUrl: string): string {
  const [image = '', checkout = ''] = ['./config/jobs.yaml', '../../../config/jobs.yaml'].map((path) =>
    fileURLToPath(new URL(path, programUrl)),
  );
  return existsSync(image) ? image : checkout;
}
