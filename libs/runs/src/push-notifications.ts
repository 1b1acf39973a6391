import { newId, type Tx } from '@millwright/db';
import type { WaitReason } from './run-state.js';
import type { ReportedState } from './webhook-events.js';

/** The A2A name of each run state that requires a reaction of the client. */
function pushedState(state: ReportedState, waitingFor: WaitReason | undefined): string | undefined {
  if (state !== 'waiting') return state;
  if (waitingFor === 'approval' || waitingFor === 'input') return 'input_required';
  return waitingFor === 'connection' ? 'auth_required' : undefined;
}

/** Adds push notifications about the runs' new state, in the transaction that changes the state. */
export async function recordPush(
  tx: Tx,
  runIds: readonly string[],
  state: ReportedState,
  waitingFor: WaitReason | undefined,
): Promise<void> {
  const pushed = pushedState(state, waitingFor);
  if (pushed === undefined || runIds.length === 0) return;
  const configs = await tx.pushConfig.findMany({
    where: { run_id: { in: [...runIds] } },
    select: { run_id: true, id: true },
  });
  if (configs.length === 0) return;
  const ids = configs.map(() => newId());
  await tx.$executeRaw`
    INSERT INTO push_notifications (id, run_id, config_id, state, at, retry_until)
    SELECT n.id, n.run_id, n.config_id, ${pushed}, r.state_at, now() + interval '24 hours'
      FROM unnest(${ids}::uuid[], ${configs.map(({ run_id }) => run_id)}::uuid[], ${configs.map(({ id }) => id)}::text[])
           n (id, run_id, config_id)
      JOIN runs r ON r.id = n.run_id`;
}
