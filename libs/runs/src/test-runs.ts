import { createUser } from '@millwright/accounts';
import type { Caller } from '@millwright/auth';
import { createDatabase, newId, type Database } from '@millwright/db';
import { createTestDatabase } from '@millwright/testing';
import type { Fence, NewRun } from './run.js';
import { createRunStore, type RunStore } from './runs.store.js';
import { createStepStore, type StepStore } from './steps.store.js';

export interface TestRuns {
  db: Database;
  runs: RunStore;
  steps: StepStore;
  caller: Caller;
  /** Starts a run in this process, or queues it. */
  start: (over?: Partial<NewRun> & { worker?: string | undefined }) => Promise<Fence>;
  /** Ends the lease of a run, as if its process had died. */
  lapse: (fence: Fence) => Promise<void>;
  rowOf: (fence: Fence) => Promise<NonNullable<Awaited<ReturnType<Database['prisma']['run']['findUnique']>>>>;
  close: () => Promise<void>;
}

/** Ids of the process of these tests, and of a second process. */
export const [WORKER, OTHER] = [newId(), newId()];

/** A database with a user who starts runs. */
export async function openRuns(): Promise<TestRuns> {
  const database = await createTestDatabase();
  const db = createDatabase({ url: database.url, poolMax: 8, refusesNesting: true });
  const email = 'ann@example.com';
  await db.transaction((tx) =>
    createUser(tx, { email, name: 'Ann', role: 'user', platformAdmin: false, project: 'Core' }),
  );
  const { id: userId } = await db.prisma.user.findUniqueOrThrow({ where: { email } });
  const actor = { userId, kind: 'user', label: 'Ann' } as const;
  const caller: Caller = { project: 'Core', actor, scopes: new Set(['agents:message']), mcpTools: ['a/*'] };
  const runs = createRunStore(db);
  return {
    db,
    runs,
    steps: createStepStore(db),
    caller,
    start({ worker, ...over } = { worker: WORKER }) {
      const subject = { kind: 'agent', id: newId(), name: 'guide', version: 3 } as const;
      const run: NewRun = { id: newId(), caller, subject, channel: 'messages', model: 'house', ...over };
      return db.transaction((tx) => runs.start(tx, run, worker));
    },
    async lapse({ runId }) {
      await db.prisma.run.update({ where: { id: runId }, data: { lease_until: new Date(Date.now() - 1_000) } });
    },
    rowOf: ({ runId }) => db.prisma.run.findUniqueOrThrow({ where: { id: runId } }),
    async close() {
      await db.close();
      await database.drop();
    },
  };
}
