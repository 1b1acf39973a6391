import { setTimeout as delay } from 'node:timers/promises';
import { encodeId } from '@millwright/db';
import type { RunRecords } from './run-records.js';
import type { CallArguments } from './run-script.js';

const LOOK_MS = 300;
/** Number of requests that send one decision at the same moment. */
const REQUESTS = 2;

export type ApprovalKind = 'approve' | 'change' | 'refuse';

/** The decision about a call, derived from the call's position, so that the checks at the end can repeat it. */
export function decisionAbout({ run, place }: CallArguments): ApprovalKind {
  const last = Number(place.at(-1));
  return (['approve', 'refuse', 'approve', 'change'] as const)[(run + last) % 4] ?? 'approve';
}

/** Simulates people who decide calls that need approval. Every decision is sent by several requests at once. */
export function startApprover(baseUrl: string, token: string, records: RunRecords) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  /** Number of answers by status. */
  const statuses = new Map<number, number>();
  let isStopped = false;

  async function decide(approval: { id: string; run: string; arguments: string }): Promise<void> {
    const args = JSON.parse(approval.arguments) as CallArguments;
    const kind = decisionAbout(args);
    const body = {
      decision: kind === 'refuse' ? 'refuse' : 'approve',
      ...(kind === 'change' && { arguments: { ...args, changed: true } }),
    };
    const url = `${baseUrl}/api/v1/runs/${encodeId('run', approval.run)}/approvals/${encodeId('apr', approval.id)}`;
    const send = async () => {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined);
      await response?.text().catch(() => undefined);
      if (response) statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    };
    await Promise.all(Array.from({ length: REQUESTS }, send));
  }

  async function work(): Promise<void> {
    while (!isStopped) {
      await Promise.all((await records.pendingApprovals().catch(() => [])).map(decide));
      await delay(LOOK_MS);
    }
  }

  const working = work();
  return {
    statuses,
    async stop(): Promise<void> {
      isStopped = true;
      await working;
    },
  };
}
