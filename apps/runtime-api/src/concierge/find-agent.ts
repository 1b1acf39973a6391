import type { Project } from '@millwright/auth';
import { findDefaultAgent, findRunnableAgent, listRunnableAgents, type RunnableAgent } from '@millwright/catalog';
import type { Database } from '@millwright/db';
import { CONCIERGE } from './concierge.js';

/** The agent of that name, the built-in one included. `undefined` when the project has none. */
export async function findAgent(db: Database, project: Project, name: string): Promise<RunnableAgent | undefined> {
  return name === CONCIERGE.slug ? CONCIERGE : findRunnableAgent(db, project, name);
}

/** A project's agents, oldest first. With none that is active, the built-in one is there too. */
export async function listAgents(db: Database, project: Project): Promise<RunnableAgent[]> {
  const own = await listRunnableAgents(db, project);
  return own.some(({ status }) => status === 'active') ? own : [...own, CONCIERGE];
}

/** The agent that stands for the installation where none is named (decisions §4, "Default agent"). */
export const requireDefaultAgent = async (db: Database): Promise<RunnableAgent> =>
  (await findDefaultAgent(db)) ?? CONCIERGE;
