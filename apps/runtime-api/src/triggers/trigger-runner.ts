import type { Caller } from '@millwright/auth';
import { fromCounted } from '@millwright/budgets';
import { encodeId, type Database, type Tx } from '@millwright/db';
import { AppError, type ErrorCode } from '@millwright/errors';
import { auditQuotaRefusal } from '@millwright/http';
import type { Logger } from '@millwright/http/process';
import { dueZonedTimes } from '@millwright/jobs/schedules';
import { addFiring, renderInput, type FiringReason } from '@millwright/runs/triggers';
import { findAgent } from '../agents/find-agent.js';
import { createPaced } from '@millwright/runs';
import type { RunService } from '../runs/runs.service.js';
import { TRIGGER } from '../tools/taint.js';
import { createFiringStore, type ClaimedFiring, type EndedFiring } from './firings.store.js';
import { createTriggerStore, type FiredTrigger } from './triggers.store.js';

export interface TriggerRunnerDeps {
  db: Database;
  runService: Pick<RunService, 'prepareRun' | 'storeRun'>;
  logger: Logger;
}

/** Milliseconds between two scans for due triggers. */
const LOOK_MS = 1_000;
/**
 * Limit of the attempts to start the run of a firing, for example while the database does not answer. Each attempt is half a minute after
 * the attempt before.
 */
const MOST_ATTEMPTS = 10;

/** The errors after which the start of a run is not tried again, each with the reason that is stored with the firing. */
const REASONS: Partial<Record<ErrorCode, FiringReason>> = {
  conflict: 'conflict',
  quota_exceeded: 'quota',
  quota_too_small: 'quota',
  forbidden: 'owner',
  agent_stopped: 'stopped',
  guard_blocked: 'message',
};

/** Thrown when another process has taken the firing, or the trigger has changed. Nothing was written. */
class FiringLost extends Error {
  override readonly name = 'FiringLost';
}

/**
 * Fires triggers: adds a firing for each scheduled time, starts the runs of firings, and records their ends. Any number of processes can
 * share the work. Only one process can add the firing of a scheduled time, and one transaction both stores a run and marks its firing as
 * started.
 */
export function createTriggerRunner({ db, runService, logger }: TriggerRunnerDeps) {
  const triggers = createTriggerStore(db);
  const firings = createFiringStore(db);
  let looking: NodeJS.Timeout | undefined;

  async function fire(tx: Tx, trigger: FiredTrigger, now: Date): Promise<void> {
    const { schedule, timezone, next_at, name, input, missed, starts_at: startsAt, ends_at: endsAt } = trigger;
    if (schedule === null || timezone === null || next_at === null) return;
    const due = dueZonedTimes({ schedule, timezone, startsAt, endsAt }, next_at, now);
    const add = (at: Date, skip?: 'missed') => {
      const facts = { source: 'schedule', key: `time ${at.toISOString()}`, at } as const;
      return addFiring(tx, trigger, { ...facts, input: renderInput(input, { trigger: name, at }), skip });
    };
    const isMadeUp = missed === 'once' && due.onTime.length === 0;
    if (due.missed && (isMadeUp || missed === 'skip')) await add(due.missed, isMadeUp ? undefined : 'missed');
    for (const at of due.onTime) await add(at);
    await triggers.setNext(tx, trigger.id, due.next);
  }

  /**
   * Adds the firings of due triggers.
   * @returns whether there may be more due triggers
   */
  const fireDue = (): Promise<boolean> =>
    db.transaction(async (tx) => {
      const { now, due } = await triggers.lockDue(tx);
      for (const trigger of due) await fire(tx, trigger, now);
      return due.length === triggers.mostAtOnce;
    });

  /** Starts the run of a firing. @returns why there will be no run; undefined when the run was started or a later attempt will start it */
  async function start(firing: ClaimedFiring): Promise<FiringReason | undefined> {
    if (firing.status !== 'active') return 'inactive';
    const caller = await db.transaction((tx) => triggers.lockCaller(tx, firing.trigger));
    if (!caller) return 'owner';
    const agent = await findAgent(db, caller.project, firing.agent);
    if (!agent) return 'agent';
    const { id, input: content, context_id, budget_unit: unit, budget_amount: amount } = firing;
    const prepared = await runService.prepareRun({
      ...{ caller, agent, content, channel: 'trigger' },
      contextId: context_id === null || firing.context === 'new' ? undefined : encodeId('ctx', context_id),
      idempotencyKey: `firing ${id}`,
      metadata: { trigger: encodeId('trg', firing.trigger_id), firing: firing.number },
      // The owner is responsible for the sender, but the posted text is not trusted.
      source: firing.source === 'webhook' ? TRIGGER : undefined,
      budget: unit === null || amount === null ? undefined : { unit, amount: fromCounted(unit, amount) },
    });
    // The run is queued, so that any process with a free place can take it.
    const storing = db.transaction(async (tx) => {
      const { id: runId, context } = await runService.storeRun(tx, { ...prepared, id: firing.run_id ?? undefined });
      await keepStart(tx, firing, caller, runId, context.id);
    });
    await storing.catch(auditQuotaRefusal(db, caller));
    return undefined;
  }

  /**
   * Records the run with its firing, in the transaction that stores the run.
   * @throws FiringLost when another process has the firing, or when the owner may no longer run the trigger
   */
  async function keepStart(tx: Tx, firing: ClaimedFiring, caller: Caller, runId: string, contextId: string) {
    const current = await triggers.lockCaller(tx, firing.trigger);
    const isSame = current && [...(caller.scopes ?? [])].every((scope) => current.scopes?.has(scope));
    if (!isSame || !(await firings.started(tx, firing, runId))) throw new FiringLost();
    if (firing.context === 'same' && !(await triggers.keepContext(tx, firing.trigger_id, contextId)))
      throw new FiringLost();
  }

  async function reasonFor(firing: ClaimedFiring, error: unknown): Promise<FiringReason | undefined> {
    if (error instanceof FiringLost) {
      await db.transaction((tx) => firings.release(tx, firing));
      return undefined;
    }
    const { code, fields } = error instanceof AppError ? error : { code: undefined, fields: [] };
    if (code === 'not_found' && firing.context_id !== null) {
      const { trigger_id, context_id } = firing;
      await db.transaction(async (tx) => {
        await triggers.forgetContext(tx, trigger_id, context_id);
        await firings.release(tx, firing);
      });
      return undefined;
    }
    if (code === 'validation_error') return fields[0]?.field === 'agent_name' ? 'agent' : 'message';
    const reason = code && REASONS[code];
    if (reason) return reason;
    logger.warn({ err: error, firing: firing.id }, 'the run of a trigger could not be started');
    return firing.attempts >= MOST_ATTEMPTS ? 'unavailable' : undefined;
  }

  async function startOne(firing: ClaimedFiring): Promise<void> {
    const reason = await start(firing).catch((error: unknown) => reasonFor(firing, error));
    if (reason === undefined) return;
    // An admin has stopped the agent or deactivated the trigger, so this is not a failure of the trigger.
    const isLeftOut = reason === 'inactive' || reason === 'stopped';
    await db.transaction(async (tx) => {
      await triggers.lock(tx, firing.trigger_id);
      if (!(await firings.end(tx, firing, isLeftOut ? 'skipped' : 'failed', reason)) || isLeftOut) return;
      if (reason === 'owner') await triggers.disable(tx, firing.trigger_id, 'owner');
      else await triggers.noteOutcome(tx, firing.trigger_id, 'failed');
    });
  }

  /**
   * Starts the runs of due firings.
   * @returns whether more firings may be due
   */
  async function startClaimed(): Promise<boolean> {
    const claimed = await firings.claim();
    await Promise.all(claimed.map(startOne));
    return claimed.length === firings.mostClaimed;
  }

  /**
   * Ends the firings whose runs have ended.
   * @returns whether there may be more ended firings
   */
  async function noteEnds(): Promise<boolean> {
    const ended = await firings.ended();
    for (const [triggerId, ofTrigger] of Map.groupBy(ended, (firing: EndedFiring) => firing.trigger_id))
      await db.transaction(async (tx) => {
        await triggers.lock(tx, triggerId);
        for (const firing of ofTrigger)
          if ((await firings.settle(tx, firing)) && firing.state !== 'canceled')
            await triggers.noteOutcome(tx, triggerId, firing.state);
      });
    return ended.length === firings.mostEnded;
  }

  const look = createPaced(async () => {
    for (const part of [fireDue, noteEnds, startClaimed]) {
      try {
        while (looking && (await part()));
      } catch (err) {
        logger.warn({ err }, 'triggers could not be fired');
      }
    }
  });

  return {
    triggers,

    /** Scans immediately. Called after a firing was added. */
    look: () => {
      if (looking) look();
    },

    /** Starts to fire triggers. */
    start(): void {
      looking = setInterval(look, LOOK_MS);
    },

    /** Ends the scans of this process. Other processes take over the firings that it has claimed. */
    close(): void {
      clearInterval(looking);
      looking = undefined;
    },
  };
}
export type TriggerRunner = ReturnType<typeof createTriggerRunner>;
