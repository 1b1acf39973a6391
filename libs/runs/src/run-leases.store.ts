import { Prisma, type Database } from '@millwright/db';
import type { Fence } from './run.js';

/** Duration of a lease. A process that does not renew its lease for this time may lose its runs. */
export const LEASE_MS = 10_000;
/** `LEASE_MS` as an interval in SQL. */
export const LEASE = Prisma.raw(`interval '${LEASE_MS} milliseconds'`);

/** When a process gave up a run because the database did not answer, the run can be taken again after this time. */
const PAUSE_MS = 2_000;

/** The leases of the processes that execute runs. */
export function createRunLeases(db: Pick<Database, 'prepared'>) {
  return {
    /** Renews the leases of all runs of a process in one statement. @returns the runs that still belong to the process */
    async renew(worker: string, fences: readonly Fence[]): Promise<Fence[]> {
      return db.prepared<Fence>(
        'renew-runs',
        `UPDATE runs r SET lease_until = now() + interval '${LEASE_MS} milliseconds'
           FROM (SELECT l.id FROM runs l JOIN unnest($2::uuid[], $3::int[]) f (id, attempt) ON l.id = f.id AND l.attempt = f.attempt
                  WHERE l.state = 'running' AND l.worker = $1 ORDER BY l.id FOR UPDATE OF l) held
          WHERE r.id = held.id
          RETURNING r.id AS "runId", r.attempt`,
        [worker, fences.map(({ runId }) => runId), fences.map(({ attempt }) => attempt)],
      );
    },

    /** Gives up one run, so that any process can take it after a pause. */
    async giveUp({ runId, attempt }: Fence): Promise<void> {
      await db.prepared(
        'give-up-run',
        `UPDATE runs SET lease_until = now() + interval '${PAUSE_MS} milliseconds' WHERE id = $1 AND attempt = $2 AND state = 'running'`,
        [runId, attempt],
      );
    },

    /** Gives up the runs of a stopping process, so that another process can take them immediately. */
    async release(worker: string): Promise<void> {
      await db.prepared(
        'release-runs',
        `UPDATE runs SET lease_until = now() - interval '1 millisecond' WHERE state = 'running' AND worker = $1`,
        [worker],
      );
    },
  };
}
