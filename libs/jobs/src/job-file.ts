import type { ConfigFault } from '@millwright/config';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { isSchedule } from './schedule.js';

export interface JobDefinition {
  name: string;
  extension: string;
  /** Email of the job's owner. */
  owner: string;
  schedule: string;
  enabled: boolean;
}

export interface JobFile {
  /** The valid jobs; all jobs of the file when there are no faults. */
  definitions: JobDefinition[];
  faults: ConfigFault[];
}

const Job = z.strictObject(
  {
    name: z.string('must be a name').regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be a name of a-z, 0-9 and -'),
    extension: z.string('must be the name of an extension'),
    owner: z.string('must be an email address').min(1, 'must be an email address').optional(),
    schedule: z
      .string('must be a cron expression of five fields')
      .refine(isSchedule, 'must be a cron expression of five fields'),
    enabled: z.boolean('must be true or false').default(true),
  },
  'must be a job',
);
const Jobs = z.strictObject({ jobs: z.array(z.unknown(), 'must be a list of jobs') }, 'must have a list of jobs');

export const jobFault = (reason: string): ConfigFault => ({ variable: 'JOBS_FILE', reason });

function faultsOf(error: z.ZodError, where: string): ConfigFault[] {
  return error.issues.map((issue) => {
    const path = [where, ...issue.path.map(String)].filter(Boolean).join('.');
    const reason = issue.code === 'unrecognized_keys' ? `has unknown keys: ${issue.keys.join(', ')}` : issue.message;
    return jobFault(`${path} ${reason}`.trim());
  });
}

/**
 * Parses the file of scheduled jobs and returns all its faults at once. `defaultOwner` owns the jobs that name no owner; `handlers`
 * lists the valid values of `extension`.
 */
export function parseJobFile(text: string, defaultOwner: string | undefined, handlers: readonly string[]): JobFile {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) return { definitions: [], faults: [jobFault(`is not valid YAML (line ${error.linePos?.[0].line ?? 1})`)] };
  const file = Jobs.safeParse(document.toJS());
  if (!file.success) return { definitions: [], faults: faultsOf(file.error, '') };

  const faults: ConfigFault[] = [];
  const definitions = file.data.jobs.flatMap((entry, index): JobDefinition[] => {
    const where = `jobs[${index}]`;
    const job = Job.safeParse(entry);
    if (!job.success) {
      faults.push(...faultsOf(job.error, where));
      return [];
    }
    const { owner = defaultOwner, ...rest } = job.data;
    if (!handlers.includes(rest.extension))
      faults.push(jobFault(`${where}.extension ${rest.extension} is not one of ${handlers.join(', ')}`));
    if (owner !== undefined) return [{ ...rest, owner }];
    faults.push(jobFault(`${where}.owner is required where JOBS_OWNER is not set`));
    return [];
  });
  const names = definitions.map(({ name }) => name);
  for (const name of new Set(names.filter((name, index) => names.indexOf(name) !== index)))
    faults.push(jobFault(`the name ${name} is used twice`));
  return { definitions, faults };
}
