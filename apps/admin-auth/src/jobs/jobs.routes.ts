import { route, type Route } from '@millwright/http';
import { nextScheduledTime, type Job, type Scheduler } from '@millwright/jobs';
import * as contract from './jobs.contract.js';
import type { JobsStore, RunRow } from './jobs.store.js';

export function jobsRoutes(scheduler: Pick<Scheduler, 'jobs' | 'request'>, store: JobsStore): Route[] {
  return [
    route(contract.listJobs, async () => {
      const runs = await store.lastRuns(scheduler.jobs.map(({ name }) => name));
      const items = scheduler.jobs.map((job) => toItem(job, runs.filter((run) => run.job === job.name).map(toRun)));
      return { body: { items } };
    }),

    route(contract.runJob, (call) =>
      call.commit(async (tx) => {
        const { actor } = call.caller;
        const { name } = call.params;
        const { scheduledAt } = await scheduler.request(tx, name, actor);
        return { body: { name, tick: scheduledAt.toISOString() } };
      }),
    ),
  ];
}

function toItem({ name, extension, owner, schedule, enabled }: Job, runs: contract.Job['runs']): contract.Job {
  const next_run_at = enabled ? nextScheduledTime(schedule, new Date()).toISOString() : null;
  return { name, extension, owner: owner.email, schedule, enabled, next_run_at, last_run: runs[0] ?? null, runs };
}

function toRun(run: RunRow): contract.Job['runs'][number] {
  const { tick: scheduledAt, origin, started_at, finished_at, outcome, detail } = run;
  return {
    tick: scheduledAt.toISOString(),
    origin,
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
    outcome,
    detail,
  };
}
