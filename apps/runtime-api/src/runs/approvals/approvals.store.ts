import type { Caller } from '@millwright/auth';
import { encodeId, newId, Prisma, type Database, type Tx } from '@millwright/db';
import { recordEvent } from '@millwright/events';
import type { RunState, WaitReason } from '@millwright/runs';
import type { RunReader } from '../list-runs.js';
import { callHash } from './approval-hash.js';

export const APPROVAL_STATES = ['pending', 'approved', 'refused', 'expired', 'used'] as const;
export type StoredState = (typeof APPROVAL_STATES)[number];

/** A tool call that waits for a decision. */
export interface NewApproval {
  project: string;
  runId: string;
  askedBy: number;
  callId: string;
  userId: string;
  agent: { slug: string; version: number | null };
  owner: { id: string; name: string };
  tool: string;
  parameters: object;
  arguments: string;
  toolHash: Buffer;
  taintedBy: readonly string[];
  needsOtherDecider: boolean;
}

/** An approval, as read by the run that requested it. */
export interface CallApproval {
  id: string;
  callId: string;
  state: StoredState;
  hash: Buffer;
  editedArguments: string | null;
  reason: string | null;
  isPast: boolean;
}

/** A call that waits for a decision, as its requester's client shows it. */
export interface PendingCall {
  /** Row id of the approval. */
  id: string;
  callId: string;
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

/** A person's decision. `hash` and `editedArguments` are set only when the person changed the arguments. */
export interface StoredDecision {
  state: 'approved' | 'refused';
  deciderId: string;
  reason: string | null;
  editedArguments: string | null;
  hash: Buffer | null;
}

export interface ApprovalStoreOptions {
  /** Time limit of a decision. */
  hours: number;
  /** Address of the page for decisions, for events. */
  inboxUrl: string;
}

/** Address of the page for decisions. `baseUrl`: address of the console. */
export const inboxAt = (baseUrl: string): string => `${baseUrl}/inbox`;

/** Limit of the runs whose approvals one sweep expires. */
const MOST_EXPIRED = 20;

/** Sole access to decisions about tool calls, except for the reads of the API. */
export function createApprovalStore(db: Database, { hours, inboxUrl }: ApprovalStoreOptions) {
  return {
    /** Lists the approvals of the tool calls of one model answer. */
    listOfAnswer: (runId: string, askedBy: number): Promise<CallApproval[]> =>
      db.prepared<CallApproval>(
        'list-approvals-of-answer',
        `SELECT id, call_id AS "callId", state, hash, edited_arguments AS "editedArguments", reason, expires_at <= now() AS "isPast"
           FROM approvals WHERE run_id = $1 AND asked_by = $2`,
        [runId, askedBy],
      ),

    /** The calls of a run that wait for a decision, in the order of the model's answer. */
    listPending: (runId: string): Promise<PendingCall[]> =>
      db.prepared<PendingCall>(
        'list-pending-calls',
        `SELECT id, call_id AS "callId", tool, arguments, other_decider AS "needsOtherDecider"
           FROM approvals WHERE run_id = $1 AND state = 'pending' AND expires_at > now() ORDER BY id`,
        [runId],
      ),

    /** Requests decisions, in the transaction in which the run starts to wait for them. */
    async request(tx: Tx, asked: readonly NewApproval[]): Promise<void> {
      const expires = Prisma.sql`now() + make_interval(hours => ${hours}::int)`;
      for (const one of asked) {
        const id = newId();
        const [row] = await tx.$queryRaw<{ expires_at: Date }[]>`
          INSERT INTO approvals (id, project, run_id, asked_by, call_id, user_id, agent, agent_version, owner, owner_name, tool,
                                 parameters, arguments, tool_hash, hash, tainted_by, other_decider, expires_at)
          VALUES (${id}::uuid, ${one.project}, ${one.runId}::uuid, ${one.askedBy}::int, ${one.callId}, ${one.userId}::uuid,
                  ${one.agent.slug}, ${one.agent.version}::int, ${one.owner.id}, ${one.owner.name}, ${one.tool},
                  ${JSON.stringify(one.parameters)}::json, ${one.arguments}, ${new Uint8Array(one.toolHash)}::bytea,
                  ${new Uint8Array(callHash(one.toolHash, one.arguments))}::bytea,
                  ${[...one.taintedBy]}::text[], ${one.needsOtherDecider}, ${expires})
          RETURNING expires_at`;
        const run = encodeId('run', one.runId);
        const call = { agent: one.agent.slug, version: one.agent.version, server: one.owner.id, tool: one.tool };
        const link = { expires_at: row?.expires_at.toISOString() ?? null, url: inboxUrl };
        await recordEvent(tx, {
          ...{ project: one.project, type: 'approval.requested', subject: run },
          data: { run, approval: encodeId('apr', id), ...call, ...link },
        });
      }
    },

    /** Uses an approval for a call that is about to start. @returns whether there was an unused approval */
    async use(tx: Tx, id: string, hash: Buffer): Promise<boolean> {
      const used = await tx.$executeRaw`
        UPDATE approvals SET state = 'used', used_at = now()
         WHERE id = ${id}::uuid AND state = 'approved' AND hash = ${new Uint8Array(hash)}::bytea`;
      return used === 1;
    },

    /** Locks the run of an approval, and reads both; `undefined` when the reader may not access the run. */
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

    /** Reads the data to check changed arguments and to compute the approval's hash; `undefined` when the reader may not access the run. */
    async findCall({ project, userId }: RunReader, runId: string, approvalId: string) {
      const [row] = await db.prepared<{ parameters: object; tool_hash: Buffer }>(
        'find-approval-call',
        `SELECT a.parameters, a.tool_hash FROM approvals a JOIN runs r ON r.id = a.run_id
          WHERE a.id = $1 AND r.id = $2 AND r.project = $3 AND ($4::uuid IS NULL OR r.user_id = $4::uuid)`,
        [approvalId, runId, project, userId],
      );
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
      const { state, deciderId, reason, editedArguments, hash } = decided;
      await tx.$executeRaw`
        UPDATE approvals SET state = ${state}, decided_by = ${deciderId}::uuid, decided_at = now(), reason = ${reason},
               edited_arguments = ${editedArguments}, hash = coalesce(${hash ? new Uint8Array(hash) : null}::bytea, hash)
         WHERE id = ${approvalId}::uuid AND state = 'pending'`;
      const run = encodeId('run', runId);
      await recordEvent(tx, {
        ...{ project, type: 'approval.decided', subject: run },
        data: { run, approval: encodeId('apr', approvalId), decision: state },
      });
      return this.countPending(tx, runId);
    },

    async countPending(tx: Tx, runId: string): Promise<number> {
      const [row] = await tx.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM approvals WHERE run_id = ${runId}::uuid AND state = 'pending'`;
      return row?.count ?? 0;
    },

    /** Lists runs with calls whose decision is overdue. */
    async listOverdue(): Promise<string[]> {
      const rows = await db.prepared<{ run_id: string }>(
        'list-overdue-approvals',
        `SELECT DISTINCT run_id FROM (
           SELECT run_id FROM approvals WHERE state = 'pending' AND expires_at <= now() ORDER BY expires_at LIMIT ${MOST_EXPIRED}) due`,
        [],
      );
      return rows.map(({ run_id }) => run_id);
    },

    /** Expires a run's overdue approvals. @returns the number of calls that still wait; undefined when another process works on the run */
    async expire(tx: Tx, runId: string): Promise<number | undefined> {
      const locked = await tx.$queryRaw<{ project: string }[]>`
        SELECT project FROM runs WHERE id = ${runId}::uuid FOR UPDATE SKIP LOCKED`;
      const [row] = locked;
      if (!row) return undefined;
      const ended = await tx.$queryRaw<{ id: string }[]>`
        UPDATE approvals SET state = 'expired' WHERE run_id = ${runId}::uuid AND state = 'pending' AND expires_at <= now()
        RETURNING id`;
      const run = encodeId('run', runId);
      for (const { id } of ended)
        await recordEvent(tx, {
          ...{ project: row.project, type: 'approval.decided', subject: run },
          data: { run, approval: encodeId('apr', id), decision: 'expired' },
        });
      return this.countPending(tx, runId);
    },
  };
}
export type ApprovalStore = ReturnType<typeof createApprovalStore>;
