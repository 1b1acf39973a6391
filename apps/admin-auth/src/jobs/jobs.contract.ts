import { endpoint } from '@millwright/http';
import { z } from 'zod';

const Run = z.object({
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  /** Outcome of the run; null while the run executes or waits. */
  outcome: z.enum(['succeeded', 'failed', 'refused']).nullable(),
  detail: z.record(z.string(), z.unknown()),
  tick: z.string(),
  origin: z.enum(['schedule', 'manual']),
});

export const Job = z.object({
  name: z.string(),
  extension: z.string(),
  owner: z.string(),
  schedule: z.string(),
  enabled: z.boolean(),
  next_run_at: z.string().nullable(),
  last_run: Run.nullable(),
  runs: z.array(Run),
});
export type Job = z.output<typeof Job>;

export const listJobs = endpoint({
  operationId: 'listJobs',
  method: 'GET',
  path: '/admin/api/jobs',
  summary: 'Scheduled jobs with their last runs',
  tag: 'Jobs',
  access: { role: 'admin' },
  limit: 'credential',
  success: { status: 200, description: 'Every job', body: z.object({ items: z.array(Job) }) },
  errors: [],
});

export const runJob = endpoint({
  operationId: 'runJob',
  grants: 'nothing',
  method: 'POST',
  path: '/admin/api/jobs/{name}/run',
  summary: 'Run a job now, once',
  tag: 'Jobs',
  access: { role: 'admin' },
  limit: 'credential',
  params: z.object({ name: z.string() }),
  success: { status: 202, description: 'It will run', body: z.object({ name: z.string(), tick: z.string() }) },
  errors: ['not_found', 'conflict'],
});
