import type { Metrics } from '@millwright/http/process';
import { lastScheduledTime, type Job, type RunReport } from '@millwright/jobs';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { LastEnd } from './jobs.store.js';

/**
 * Counts the runs of this process. The times of the last runs are not counted here but read from the database at each scrape, because they
 * are the same for every replica and must be available after a restart.
 */
export function createJobMetrics(
  { registry }: Metrics,
  jobs: readonly Job[],
  lastEnds: () => Promise<LastEnd[]>,
): (report: RunReport) => void {
  const registers = [registry];
  const runs = new Counter({
    name: 'job_runs_total',
    help: 'Runs of scheduled jobs that ended',
    labelNames: ['job', 'outcome'],
    registers,
  });
  // Starts each series at 0, because an alert on the first failure needs an earlier value.
  for (const { name: job } of jobs)
    for (const outcome of ['succeeded', 'failed', 'refused']) runs.inc({ job, outcome }, 0);
  new Gauge({
    name: 'job_last_due_timestamp_seconds',
    help: 'When the job was last due by its schedule, Unix time',
    labelNames: ['job'],
    registers,
    collect() {
      for (const { name: job, schedule } of jobs.filter(({ enabled }) => enabled))
        this.set({ job }, lastScheduledTime(schedule, new Date()).getTime() / 1_000);
    },
  });
  const showTime = (name: string, help: string, timeOf: (end: LastEnd) => Date | null) => {
    const gauge: Gauge<'job'> = new Gauge({
      ...{ name, help, labelNames: ['job'], registers },
      async collect() {
        // While the database is unreachable, the gauge keeps its last value.
        for (const end of await lastEnds().catch(() => [])) {
          const time = timeOf(end);
          if (time) gauge.set({ job: end.job }, time.getTime() / 1_000);
        }
      },
    });
  };
  showTime('job_last_run_timestamp_seconds', 'When a run of the job last ended, Unix time', (end) => end.ended_at);
  showTime(
    'job_last_success_timestamp_seconds',
    'When a run of the job last succeeded, Unix time',
    (end) => end.succeeded_at,
  );
  const duration = new Histogram({
    name: 'job_run_duration_seconds',
    help: 'Time that the ending attempt of a run took',
    labelNames: ['job'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
    registers,
  });
  return ({ job, outcome, seconds }) => {
    runs.inc({ job, outcome });
    duration.observe({ job }, seconds);
  };
}
