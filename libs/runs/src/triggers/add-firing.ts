import { newId, type Tx } from '@millwright/db';
import { guardMessage } from './guard-message.js';
import {
  MOST_ACTIVE,
  type FiringReason,
  type FiringSource,
  type FiringState,
  type Overlap,
  type TriggerContext,
} from './trigger.js';

/** A trigger whose row the caller has locked. */
export interface LockedTrigger {
  id: string;
  project: string;
  overlap: Overlap;
  context: TriggerContext;
}

export interface NewFiring {
  source: FiringSource;
  /** Identifies the cause of the firing: a scheduled time, or the id of a message. */
  key: string;
  at: Date;
  /** The message to the agent; undefined when the template results in a message that no agent accepts. */
  input: string | undefined;
  /** The reason why the firing is skipped. */
  skip?: 'missed' | undefined;
}

export interface AddedFiring {
  id: string;
  number: number;
  state: FiringState;
  reason: FiringReason | null;
  /**
   * The run that the firing starts. When the runs of the trigger share one conversation, `runId` is null until the run
   * has started.
   */
  runId: string | null;
  /** Whether the trigger had already fired for this time or message. */
  isRepeated: boolean;
}

/**
 * Adds a firing, once for each scheduled time or message. A process then starts the run of the firing. The firing is
 * skipped while too many firings are unfinished and, depending on the trigger's settings, while an earlier firing is
 * unfinished.
 */
export async function addFiring(tx: Tx, trigger: LockedTrigger, firing: NewFiring): Promise<AddedFiring> {
  const { id: trigger_id, project, overlap, context } = trigger;
  const { source, key, at } = firing;
  const before = await tx.triggerFiring.findUnique({ where: { trigger_id_key: { trigger_id, key } } });
  if (before) {
    const [state, reason] = [before.state as FiringState, before.reason as FiringReason | null];
    return { id: before.id, number: before.number, state, reason, runId: before.run_id, isRepeated: true };
  }
  const input = firing.input === undefined ? undefined : await guardMessage(tx, trigger_id, firing.input);
  const reason = reasonToEnd({ ...firing, input }) ?? (await reasonToWait(tx, trigger_id, overlap));
  const state = reason === undefined ? 'pending' : 'skipped';
  // A run in a new conversation gets its id now. The runs of a shared conversation are executed in the order of their
  // ids, so such a run gets its id only when it starts. Until then, `run_id` is null.
  const run_id = state === 'pending' && context === 'new' ? newId() : null;
  const { firing_count: number } = await tx.trigger.update({
    where: { id: trigger_id },
    data: { firing_count: { increment: 1 }, last_fired_at: new Date() },
    select: { firing_count: true },
  });
  const id = newId();
  const ended = state === 'pending' ? {} : { ended_at: new Date(), reason: reason ?? null };
  await tx.triggerFiring.create({
    data: { id, trigger_id, project, number, source, key, at, input: input ?? '', state, run_id, ...ended },
  });
  return { id, number, state, reason: reason ?? null, runId: run_id, isRepeated: false };
}

const reasonToEnd = ({ skip, input }: NewFiring): 'missed' | 'message' | undefined =>
  skip ?? (input === undefined ? 'message' : undefined);

async function reasonToWait(tx: Tx, trigger_id: string, overlap: Overlap): Promise<'overlap' | 'full' | undefined> {
  const [{ active } = { active: 0 }] = await tx.$queryRaw<{ active: number }[]>`
    SELECT count(*)::int AS active FROM (
      SELECT FROM trigger_firings WHERE trigger_id = ${trigger_id}::uuid AND state IN ('pending', 'started') LIMIT ${MOST_ACTIVE}) few`;
  if (active > 0 && overlap === 'skip') return 'overlap';
  return active >= MOST_ACTIVE ? 'full' : undefined;
}
