import type { Caller } from '@millwright/auth';
import { encodeId, Prisma, type Database, type Tx } from '@millwright/db';
import { recordEvent } from '@millwright/events';
import type { RunReader } from '../run-reader.js';
import type { RunState, WaitReason } from '../run-state.js';
import { pendingOfTree } from '../run-tree.store.js';

export const APPROVAL_STATES = ['pending', 'approved', 'refused', 'expired', 'used'] as const;
export type StoredState = (typeof APPROVAL_STATES)[number];

/** A call that waits for a decision, with the data that the requester's client shows. */
export interface PendingCall {
  /** Row id of the approval. */
  id: string;
  /** Row id of the run that makes the call: the requested run, or one of its descendants. */
  runId: string;
  callId: string;
  /** Name of the tool's MCP server or plugin. */
  ownerName: string;
  tool: string;
  /** The arguments as the model wrote them: a JSON object. */
  arguments: string;
  needsOtherDecider: boolean;
}

/** A locked approval with its run. */
export interface LockedApproval {
  state: StoredState;
  isPast: boolean;
  userId: string;
  needsOtherDecider: boolean;
  tool: string;
  runState: RunState;
  waitingFor: WaitReason | null;
}

/** The arguments with which a person has replaced those of the model, as they will be sent, and the hash of the call with them. */
export interface EditedCall {
  arguments: string;
  hash: Buffer;
}

/** A person's decision. */
export interface StoredDecision {
  state: 'approved' | 'refused';
  deciderId: string;
  reason: string | null;
  edited: EditedCall | undefined;
}

/** Limit of the pending calls in one request to a client. Further calls follow once the earlier ones are decided. */
const MOST_PENDING = 100;

/** Access to approvals for the users who decide. */
export function createDecisionStore(db: Database) {
  async function countPending(tx: Tx, runId: string): Promise<number> {
    const [row] = await tx.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM approvals WHERE run_id = ${runId}::uuid AND state = 'pending'`;
    return row?.count ?? 0;
  }

  return {
    countPending,

    /**
     * Lists the first calls of a run and its descendants that wait for a decision, in the order of the models' answers.
     */
    listPending: (runId: string): Promise<PendingCall[]> =>
      db.prepared<PendingCall>(
        'list-pending-calls',
        `SELECT a.id, a.run_id AS "runId", a.call_id AS "callId", a.owner_name AS "ownerName", a.tool, a.arguments,
                a.other_decider AS "needsOtherDecider"
           FROM ${pendingOfTree('$1')} ORDER BY a.id LIMIT ${MOST_PENDING}`,
        [runId],
      ),

    /** Locks the run of an approval, and reads both. Returns `undefined` when the reader may not access the run. */
    async lock(
      tx: Tx,
      { project, userId }: RunReader,
      runId: string,
      approvalId: string,
    ): Promise<LockedApproval | undefined> {
      const mine = userId === undefined ? Prisma.empty : Prisma.sql`AND r.user_id = ${userId}::uuid`;
      const locked = await tx.$queryRaw<object[]>`
        SELECT FROM runs r WHERE r.id = ${runId}::uuid AND r.project = ${project} ${mine} FOR UPDATE`;
      if (locked.length === 0) return undefined;
      const [row] = await tx.$queryRaw<LockedApproval[]>`
        SELECT a.state, a.expires_at <= now() AS "isPast", a.user_id AS "userId", a.other_decider AS "needsOtherDecider", a.tool,
               r.state AS "runState", r.waiting_for AS "waitingFor"
          FROM approvals a JOIN runs r ON r.id = a.run_id
         WHERE a.id = ${approvalId}::uuid AND a.run_id = ${runId}::uuid`;
      return row;
    },

    /** Stores a decision about a pending call of a locked run. @returns the number of the run's calls that still wait */
    async decide(
      tx: Tx,
      { project }: Pick<Caller, 'project'>,
      runId: string,
      approvalId: string,
      decided: StoredDecision,
    ): Promise<number> {
      const { state, deciderId, reason, edited } = decided;
      // The columns are written only for changed arguments: the prompt API has no right to write them, because its
      // clients change no arguments.
      const edit = edited
        ? Prisma.sql`, edited_arguments = ${edited.arguments}, hash = ${new Uint8Array(edited.hash)}::bytea`
        : Prisma.empty;
      await tx.$executeRaw`
        UPDATE approvals SET state = ${state}, decided_by = ${deciderId}::uuid, decided_at = now(), reason = ${reason} ${edit}
         WHERE id = ${approvalId}::uuid AND state = 'pending'`;
      const run = encodeId('run', runId);
      await recordEvent(tx, {
        ...{ project, type: 'approval.decided', subject: run },
        data: { run, approval: encodeId('apr', approvalId), decision: state },
      });
      return countPending(tx, runId);
    },
  };
}
export type DecisionStore = ReturnType<typeof createDecisionStore>;
