import type { Database } from '@millwright/db';
import { createRunStore, type ClaimedRun } from '@millwright/runs';
import { createApprovalStore, toolHash } from '@millwright/runs/approvals';

export interface WaitOptions {
  /** One call of the tool `pay` for each amount. */
  euros: readonly number[];
  needsOtherDecider?: boolean;
  expiresAt?: Date | undefined;
}

/** Lets a claimed run of an agent wait for decisions about calls of the tool `pay`, as a process of the runtime API does. */
export async function waitForDecisions(
  db: Database,
  { runId, attempt, caller, subject }: ClaimedRun,
  { euros, needsOtherDecider = false, expiresAt }: WaitOptions,
): Promise<void> {
  const agent = { id: subject.id, version: 1 };
  const hash = toolHash({ runId, agent, owner: 'bank', tool: 'pay', definitionHash: undefined });
  const approvals = createApprovalStore(db, { hours: 1, baseUrl: 'http://console.test' });
  await db.transaction(async (tx) => {
    await createRunStore(db).wait(tx, { runId, attempt }, 'approval');
    await approvals.request(
      tx,
      euros.map((amount, index) => ({
        ...{ project: caller.project, userId: caller.actor.userId, runId, askedBy: 1, callId: `call_${index}` },
        ...{ agent: { slug: subject.name, version: 1 }, toolHash: hash, tool: 'pay', parameters: {} },
        ...{ owner: { id: 'bank', name: 'Bank' }, arguments: JSON.stringify({ euros: amount }) },
        ...{ taintedBy: [], needsOtherDecider },
      })),
    );
    if (expiresAt) await tx.approval.updateMany({ where: { run_id: runId }, data: { expires_at: expiresAt } });
  });
}
