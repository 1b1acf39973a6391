import type { Project } from '@millwright/auth';
import { findDefaultAgent, findRunnableAgent, type RunnableAgent } from '@millwright/catalog';
import { findDeletedAgentNamed } from '@millwright/catalog/deleted-agents';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { listGuardPolicies } from '@millwright/guards';
import { CONCIERGE } from '../concierge/concierge.js';

/** Finds an agent by its slug, including the built-in agent. `undefined` when the project has no agent of that name. */
export async function findAgent(db: Database, project: Project, name: string): Promise<RunnableAgent | undefined> {
  if (name !== CONCIERGE.slug) return findRunnableAgent(db, project, name);
  return { ...CONCIERGE, guard_policies: await listGuardPolicies(db, project) };
}

/** Finds an agent by its slug, including the built-in agent. @throws AppError not_found when the project has no agent of that name */
export async function requireAgent(db: Database, project: Project, name: string): Promise<RunnableAgent> {
  const agent = await findAgent(db, project, name);
  if (!agent) throw new AppError('not_found');
  return agent;
}

/** Finds an agent, or the deleted agent of that name as long as its runs may still finish. Use it for requests about these runs. */
export const findAgentOrDeleted = async (
  db: Database,
  project: Project,
  name: string,
): Promise<RunnableAgent | undefined> =>
  (await findAgent(db, project, name)) ?? (await findDeletedAgentNamed(db, project, name));

/** Finds the default agent of the installation, which is used when a request names no agent. */
export const requireDefaultAgent = async (db: Database): Promise<RunnableAgent> =>
  (await findDefaultAgent(db)) ?? CONCIERGE;
