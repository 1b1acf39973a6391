import { encodeId, newId, Prisma, type Database, type Tx } from '@millwright/db';
import { recordEvent } from '@millwright/events';
import type { RunReader } from '../run-reader.js';
import { callHash } from './approval-hash.js';
import { runPageAt } from './console-pages.js';
import { createDecisionStore, type StoredState } from './decisions.store.js';

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

/** An approval, as the run that requested it reads it. */
export interface CallApproval {
  id: string;
  callId: string;
  state: StoredState;
  hash: Buffer;
  editedArguments: string | null;
  reason: string | null;
  isPast: boolean;
}

export interface ApprovalStoreOptions {
  /** Time limit of a decision, in hours. */
  hours: number;
  /** Origin of the console (`BASE_URL`), for the links of events. */
  baseUrl: string;
}

/** Limit of the runs whose overdue approvals are marked as expired at a time. */
const MOST_EXPIRED = 20;

/** The only access to decisions about tool calls, except for the reads of the API. */
export function createApprovalStore(db: Database, { hours, baseUrl }: ApprovalStoreOptions) {
  const decisions = createDecisionStore(db);
  return {
    ...decisions,

    /** Lists the approvals of the tool calls of one model answer. */
    listOfAnswer: (runId: string, askedBy: number): Promise<CallApproval[]> =>
      db.prepared<CallApproval>(
        'list-approvals-of-answer',
        `SELECT id, call_id AS "callId", state, hash, edited_arguments AS "editedArguments", reason, expires_at <= now() AS "isPast"
           FROM approvals WHERE run_id = $1 AND asked_by = $2`,
        [runId, askedBy],
      ),

    /** Requests decisions, in the transaction in which the run starts to wait for the decisions. */
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
        const link = { expires_at: row?.expires_at.toISOString() ?? null, url: runPageAt(baseUrl, run) };
        await recordEvent(tx, {
          ...{ project: one.project, type: 'approval.requested', subject: run },
          data: { run, approval: encodeId('apr', id), ...call, ...link },
        });
      }
    },

    /** Marks an approval as used by a call that is about to start. @returns `false` when there is no unused approval for the hash */
    async use(tx: Tx, id: string, hash: Buffer): Promise<boolean> {
      const used = await tx.$executeRaw`
        UPDATE approvals SET state = 'used', used_at = now()
         WHERE id = ${id}::uuid AND state = 'approved' AND hash = ${new Uint8Array(hash)}::bytea`;
      return used === 1;
    },

    /**
     * Reads the data that are needed to check changed arguments and to compute the hash of the approval. Returns
     * `undefined` when the reader may not access the run.
     */
    async findCall({ project, userId }: RunReader, runId: string, approvalId: string) {
      const [row] = await db.prepared<{ parameters: object; tool_hash: Buffer }>(
        'find-approval-call',
        `SELECT a.parameters, a.tool_hash FROM approvals a JOIN runs r ON r.id = a.run_id
          WHERE a.id = $1 AND r.id = $2 AND r.project = $3 AND ($4::uuid IS NULL OR r.user_id = $4::uuid)`,
        [approvalId, runId, project, userId],
      );
      return row;
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

    /**
     * Marks a run's overdue approvals as expired.
     * @returns the number of calls that still wait; undefined when another process works on the run
     */
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
      return decisions.countPending(tx, runId);
    },
  };
}
export type ApprovalStore = ReturnType<typeof createApprovalStore>;
