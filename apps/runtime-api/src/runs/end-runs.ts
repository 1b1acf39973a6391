import { FIRST_ID, type Database } from '@millwright/db';
import { createScan, type Logger } from '@millwright/http/process';
import type { RunNotifier, RunStore } from '@millwright/runs';
import type { AgentPlace } from '../agents/stop-agent.js';

/** Limit of the runs that one transaction ends. */
const BATCH = 200;
/** Milliseconds between two scans for runs of stopped or deleted agents and of users who are not active. */
const LOOK_MS = 5_000;
const DELETED = { code: 'agent_deleted', text: 'The agent was deleted.' };
const INACTIVE = { code: 'forbidden', text: 'The account is not active.' };

export interface EndRunsDeps {
  db: Database;
  runs: Pick<RunStore, 'cancelNext' | 'failNext' | 'failNextOfUser' | 'listEndedAgents' | 'listInactiveUsers'>;
  notifier: Pick<RunNotifier, 'ended'>;
  logger: Logger;
}

/**
 * Ends the runs of stopped or deleted agents, and of users who are no longer active. Each transaction ends only one batch of runs, so that
 * transactions are short. When a process dies in between, the next scan of any process ends the remaining runs.
 */
export function createRunEnder({ db, runs, notifier, logger }: EndRunsDeps) {
  let isClosed = false;

  async function inSteps(end: (after: string) => ReturnType<RunStore['cancelNext']>): Promise<void> {
    for (let after = FIRST_ID; !isClosed;) {
      const { ids, below } = await end(after);
      for (const id of [...ids, ...below]) notifier.ended(id);
      after = ids.at(-1) ?? after;
      if (ids.length < BATCH) return;
    }
  }

  /** Cancels the running runs. With `all`, also cancels queued and waiting runs. */
  const cancelRuns = ({ project, id: agentId }: AgentPlace, all: boolean): Promise<void> =>
    inSteps((after) => db.transaction((tx) => runs.cancelNext(tx, { project, agentId }, { all, after, limit: BATCH })));

  const failRuns = ({ project, id: agentId }: AgentPlace): Promise<void> =>
    inSteps((after) =>
      db.transaction((tx) => runs.failNext(tx, { project, agentId }, { error: DELETED, after, limit: BATCH })),
    );

  const failRunsOf = (userId: string): Promise<void> =>
    inSteps((after) =>
      db.transaction((tx) => runs.failNextOfUser(tx, userId, { error: INACTIVE, after, limit: BATCH })),
    );

  async function look(): Promise<void> {
    for (const userId of await runs.listInactiveUsers())
      await failRunsOf(userId).catch((err: unknown) =>
        logger.warn({ err, user: userId }, 'runs of a user who is not active are not ended yet'),
      );
    for (const { agentId: id, project, isDeleted } of await runs.listEndedAgents())
      // An error is caught for each agent, so that the runs of the other agents are still ended.
      await (isDeleted ? failRuns({ project, id }) : cancelRuns({ project, id }, true)).catch((err: unknown) =>
        logger.warn({ err, agent: id }, 'runs of a stopped or deleted agent are not ended yet'),
      );
  }

  const scan = createScan(look, LOOK_MS, (err) =>
    logger.warn({ err }, 'runs of stopped or deleted agents and inactive users are not ended yet'),
  );

  return {
    cancelRuns,
    look,
    start: scan.start,
    async close(): Promise<void> {
      isClosed = true;
      await scan.close();
    },
  };
}
export type RunEnder = ReturnType<typeof createRunEnder>;
