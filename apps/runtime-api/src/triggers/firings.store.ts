import type { Unit } from '@millwright/budgets';
import { Prisma, type Database, type Tx } from '@millwright/db';
import type { FiringReason, FiringState } from '@millwright/runs/triggers';
import type { OwnedTrigger } from './triggers.store.js';

/** A firing that this process has claimed in order to start its run. */
export interface ClaimedFiring {
  id: string;
  trigger_id: string;
  number: number;
  input: string;
  source: string;
  /** Number of this attempt to start the run, from 1. Later writes with an earlier number change nothing. */
  attempts: number;
  run_id: string | null;
  status: 'active' | 'inactive';
  agent: string;
  context: 'new' | 'same';
  context_id: string | null;
  /** Unit of the budget that each run gets; null when the runs get no budget. */
  budget_unit: Unit | null;
  /** Budget amount in millionths of a US dollar, or in tokens. */
  budget_amount: number | null;
  trigger: OwnedTrigger;
}

interface ClaimedRow extends Omit<ClaimedFiring, 'trigger'>, Omit<OwnedTrigger, 'id'> {}

/** A firing whose run has ended. */
export interface EndedFiring {
  id: string;
  trigger_id: string;
  state: Extract<FiringState, 'completed' | 'failed' | 'canceled'>;
}

/** Seconds for which other processes cannot claim a firing after this process claimed it. The start of a run takes less time. */
const CLAIM_SECONDS = 30;
/** Limit of the firings that one process starts concurrently. */
const MOST_CLAIMED = 5;
/** Limit of the firings that one scan ends. When it is reached, the next scan follows immediately. */
const MOST_ENDED = 200;

const FIRST_OF_QUEUE = `
  t.overlap <> 'queue' OR NOT EXISTS (
    SELECT FROM trigger_firings e
     WHERE e.trigger_id = f.trigger_id AND e.state IN ('pending', 'started') AND e.number < f.number)`;

const CLAIM = `
  WITH due AS (
    SELECT f.id FROM trigger_firings f JOIN triggers t ON t.id = f.trigger_id
     WHERE f.state = 'pending' AND f.next_at <= now() AND (${FIRST_OF_QUEUE})
     ORDER BY f.next_at LIMIT ${MOST_CLAIMED} FOR UPDATE OF f SKIP LOCKED)
  UPDATE trigger_firings f SET attempts = f.attempts + 1, next_at = now() + interval '${CLAIM_SECONDS} seconds'
    FROM due, triggers t WHERE f.id = due.id AND t.id = f.trigger_id
  RETURNING f.id, f.trigger_id, f.number, f.input, f.source, f.attempts, f.run_id, t.status, t.agent, t.context, t.context_id,
    t.budget_unit, t.budget_amount::float8 AS budget_amount,
    t.project, t.name, t.owner_id, t.rights`;

const ENDED = `
  SELECT f.id, f.trigger_id, coalesce(r.state, 'canceled') AS state
    FROM trigger_firings f LEFT JOIN runs r ON r.id = f.run_id
   WHERE f.state = 'started' AND (r.id IS NULL OR r.ended_at IS NOT NULL)
   ORDER BY f.trigger_id, f.number LIMIT ${MOST_ENDED}`;

/** Starts and ends firings in the runtime API. */
export function createFiringStore(db: Database) {
  return {
    mostClaimed: MOST_CLAIMED,
    mostEnded: MOST_ENDED,

    /** Claims due firings. Of a trigger that queues its firings, claims only the first unfinished firing. */
    async claim(): Promise<ClaimedFiring[]> {
      const rows = await db.prepared<ClaimedRow>('claim-trigger-firings', CLAIM, []);
      return rows.map(({ project, name, owner_id, rights, ...row }) => ({
        ...row,
        trigger: { id: row.trigger_id, project, name, owner_id, rights },
      }));
    },

    /**
     * Records the run of a firing, in the transaction that stores the run.
     * @returns false when another process has taken the firing
     */
    started: (tx: Tx, { id, attempts }: ClaimedFiring, runId: string): Promise<boolean> =>
      changed(
        tx.$executeRaw`
          UPDATE trigger_firings SET state = 'started', run_id = ${runId}::uuid
           WHERE id = ${id}::uuid AND attempts = ${attempts} AND state = 'pending'`,
      ),

    /** Ends a firing without a run. @returns false when another process has taken the firing */
    end: (tx: Tx, firing: ClaimedFiring, state: 'failed' | 'skipped', reason: FiringReason): Promise<boolean> =>
      changed(
        tx.$executeRaw`
          UPDATE trigger_firings SET state = ${state}, reason = ${reason}, run_id = NULL, ended_at = now()
           WHERE id = ${firing.id}::uuid AND attempts = ${firing.attempts} AND state = 'pending'`,
      ),

    /** Makes a claimed firing due again immediately. */
    release: async (tx: Tx, { id, attempts }: ClaimedFiring): Promise<void> => {
      await tx.$executeRaw`
        UPDATE trigger_firings SET next_at = now()
         WHERE id = ${id}::uuid AND attempts = ${attempts} AND state = 'pending'`;
    },

    /** Lists firings whose runs have ended or were deleted. */
    ended: (): Promise<EndedFiring[]> => db.prepared('list-ended-trigger-firings', ENDED, []),

    /** Ends a firing with the result of its run. @returns false when another process has ended the firing */
    settle: (tx: Tx, { id, state }: EndedFiring): Promise<boolean> => {
      const reason = state === 'failed' ? Prisma.sql`'run'` : Prisma.sql`NULL`;
      return changed(
        tx.$executeRaw`
          UPDATE trigger_firings SET state = ${state}, reason = ${reason}, ended_at = now()
           WHERE id = ${id}::uuid AND state = 'started'`,
      );
    },
  };
}
export type FiringStore = ReturnType<typeof createFiringStore>;

const changed = async (rows: Promise<number>) => (await rows) > 0;
