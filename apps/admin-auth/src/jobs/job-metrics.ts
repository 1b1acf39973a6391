import type { Metrics } from '@millwright/http';
import type { RunReport } from '@millwright/jobs';
import { Counter, Gauge, Histogram } from 'prom-client';

/** Told of each run; what other replicas ran, they tell. */
export function createJobMetrics({ registry }: Metrics): (report: RunReport) => void {
  const registers = [registry];
  const runs = new Counter({
    name: 'job_runs_total',
    help: 'Runs of scheduled jobs that ended',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const success = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'When a run of the job last succeeded here, Unix time',
    labelNames: ['job'],
    registers,
  });
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
    if (outcome === 'succeeded') success.set({ job }, Date.now() / 1_000);
  };
}
