import { readFile } from 'node:fs/promises';
import { ConfigError, type ConfigFault } from '@millwright/config';
import type { Database } from '@millwright/db';
import { jobFault, parseJobFile, type JobDefinition } from './job-file.js';
import type { Job } from './job.js';

export interface JobSource {
  /** Path of the YAML file. */
  file: string;
  /** Email of the owner of jobs that name no owner. */
  defaultOwner: string | undefined;
  /** Names of the handlers that jobs may have. */
  handlers: readonly string[];
}

/**
 * Loads the installation's jobs with their owners. An owner must be an active admin, because every audit row of a run names the owner as
 * the accountable user.
 *
 * @throws ConfigError with all faults of the file and of the owners at once.
 */
export async function loadJobs(db: Database, { file, defaultOwner, handlers }: JobSource): Promise<Job[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ConfigError([jobFault('names a file that cannot be read')]);
  });
  const { definitions, faults } = parseJobFile(text, defaultOwner, handlers);
  const { jobs, faults: ownerFaults } = await resolveOwners(db, definitions);
  if (faults.length + ownerFaults.length > 0) throw new ConfigError([...faults, ...ownerFaults]);
  return jobs;
}

async function resolveOwners(db: Database, definitions: readonly JobDefinition[]) {
  const emails = [...new Set(definitions.map(({ owner }) => owner))];
  const users = await db.prisma.user.findMany({ where: { email: { in: emails } } });
  const userOf = (email: string) => users.find((user) => user.email.toLowerCase() === email.toLowerCase());
  const faults: ConfigFault[] = [];
  const jobs = definitions.flatMap(({ owner, ...definition }): Job[] => {
    const user = userOf(owner);
    const problem = !user
      ? 'does not exist'
      : user.status !== 'active'
        ? 'is not active'
        : user.role !== 'admin'
          ? 'is not an admin'
          : undefined;
    if (!user || problem) {
      faults.push(jobFault(`the owner ${owner} of ${definition.name} ${problem ?? ''}`));
      return [];
    }
    return [{ ...definition, owner: { id: user.id, email: user.email } }];
  });
  return { jobs, faults };
}
