import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { encodeId, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { readerOf } from '../run-reader.js';
import type { RunStore } from '../runs.store.js';
import type { DecisionStore, EditedCall } from './decisions.store.js';

/** A person's decision about a call, which is not stored yet. */
export interface PreparedDecision {
  /** Row ids of the call that is decided. */
  runId: string;
  approvalId: string;
  decision: { decision: 'approve' | 'refuse'; reason?: string | undefined };
  edited?: EditedCall | undefined;
}

export interface StoredApproval {
  /** Public id of the approval. */
  id: string;
  state: 'approved' | 'refused';
  /** Whether the run continues after this decision: none of its other calls waits for a decision. */
  goesOn: boolean;
}

const conflict = (reason: string) => new AppError('conflict', { fields: [{ field: 'approval', reason }] });

/**
 * Stores a decision with its audit row, and queues the run when all its calls are decided.
 *
 * @throws AppError not_found; forbidden for the requester when another user has to decide; conflict for a call that is decided or
 * overdue, or whose run waits for no approval
 */
export async function decideApproval(
  { store, runs }: { store: Pick<DecisionStore, 'lock' | 'decide'>; runs: Pick<RunStore, 'resume'> },
  tx: Tx,
  caller: Caller,
  { runId, approvalId, decision, edited }: PreparedDecision,
): Promise<StoredApproval> {
  const found = await store.lock(tx, readerOf(caller), runId, approvalId);
  if (!found) throw new AppError('not_found');
  if (found.state !== 'pending') throw conflict(`is ${found.state} already`);
  if (found.isPast) throw conflict('has expired');
  if (found.runState !== 'waiting' || found.waitingFor !== 'approval')
    throw conflict('is of a run that does not wait for it');
  if (found.needsOtherDecider && found.userId === caller.actor.userId)
    throw new AppError('forbidden', { cause: new Error('another user than the requester has to decide') });
  const state = decision.decision === 'approve' ? 'approved' : 'refused';
  const stored = { state, deciderId: caller.actor.userId, reason: decision.reason ?? null, edited } as const;
  const left = await store.decide(tx, caller, runId, approvalId, stored);
  const id = encodeId('apr', approvalId);
  const detail = { run: encodeId('run', runId), tool: found.tool, decision: state, edited: edited !== undefined };
  await recordDecision(tx, { ...caller, action: 'approval.decide', resource: id, detail });
  return { id, state, goesOn: left === 0 && (await runs.resume(tx, runId, 'approval')) };
}
