import { newId, Prisma, type Tx } from '@millwright/db';
import type { WaitReason } from './run-state.js';
import { hasConnectionBelow, hasPendingBelow } from './run-tree.store.js';
import type { ReportedState } from './webhook-events.js';

/** Converts the new state of a run to the name of the state in A2A. Undefined for waits that are not reported. */
function pushedState(state: ReportedState, waitingFor: WaitReason | undefined): string | undefined {
  if (state !== 'waiting') return state;
  if (waitingFor === 'approval' || waitingFor === 'input') return 'input_required';
  return waitingFor === 'connection' ? 'auth_required' : undefined;
}

/** A run whose state has changed. */
interface ChangedRun {
  id: string;
  channel: string;
}

/** Adds push notifications about the new state of the runs, in the transaction that changes the state. */
export async function recordPush(
  tx: Tx,
  runs: readonly ChangedRun[],
  state: ReportedState,
  waitingFor: WaitReason | undefined,
): Promise<void> {
  const pushed = pushedState(state, waitingFor);
  const idsOf = (wanted: string) => runs.filter(({ channel }) => channel === wanted).map(({ id }) => id);
  if (pushed !== undefined) await pushTo(tx, idsOf('a2a'), pushed);
  // The user of a task also has to act when a descendant of its run waits for a decision or an account.
  if (waitingFor === 'child') {
    const asked = await thoseThat(tx, idsOf('a2a'), hasPendingBelow('r.id'));
    await pushTo(tx, asked, 'input_required');
    const others = idsOf('a2a').filter((id) => !asked.includes(id));
    await pushTo(tx, await thoseThat(tx, others, hasConnectionBelow('r.id')), 'auth_required');
  }
  if (pushed !== undefined && (waitingFor === 'approval' || waitingFor === 'connection'))
    await pushTo(tx, await waitingTasksAbove(tx, idsOf('agent')), pushed);
}

/** Returns the ids of the runs for which the SQL condition about `r` holds. */
async function thoseThat(tx: Tx, ids: readonly string[], condition: string): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT r.id FROM runs r WHERE r.id = ANY(${ids}::uuid[]) AND ${Prisma.raw(condition)}`;
  return rows.map(({ id }) => id);
}

/**
 * Finds those ancestors of the runs that are tasks and wait for their child runs. An ancestor that still works is left
 * out: it is reported when it also waits.
 */
async function waitingTasksAbove(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE above AS (
      SELECT parent_id FROM runs WHERE id = ANY(${ids}::uuid[])
       UNION SELECT r.parent_id FROM above a JOIN runs r ON r.id = a.parent_id)
    SELECT id FROM runs WHERE id = ANY(ARRAY(SELECT parent_id FROM above)) AND channel = 'a2a' AND state = 'waiting' AND waiting_for = 'child'`;
  return rows.map(({ id }) => id);
}

async function pushTo(tx: Tx, runIds: readonly string[], pushed: string): Promise<void> {
  if (runIds.length === 0) return;
  const configs = await tx.pushConfig.findMany({
    where: { run_id: { in: [...runIds] } },
    select: { run_id: true, id: true },
  });
  if (configs.length === 0) return;
  const ids = configs.map(() => newId());
  await tx.$executeRaw`
    INSERT INTO push_notifications (id, run_id, config_id, state, at, retry_until)
    SELECT n.id, n.run_id, n.config_id, ${pushed}, r.state_at, now() + interval '72 hours'
      FROM unnest(${ids}::uuid[], ${configs.map(({ run_id }) => run_id)}::uuid[], ${configs.map(({ id }) => id)}::text[])
           n (id, run_id, config_id)
      JOIN runs r ON r.id = n.run_id`;
}
