import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { decodeId, encodeId, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { RunNotifier, RunState as StateName, RunStore, StepStore } from '@millwright/runs';
import type { RunWorker } from './run-worker.js';
import type { OutcomeDecision, RunState } from './runs.contract.js';
import { readerOf } from '@millwright/runs';

export interface RunControlDeps {
  runs: RunStore;
  steps: StepStore;
  worker: RunWorker;
  notifier: RunNotifier;
}

/** A change of a run, and the action that follows its commit. */
export interface Controlled {
  body: RunState;
  after: () => void;
}

const HAPPENED = 'A person confirmed that this call had its effect. Its answer was lost.';
const DID_NOT_HAPPEN = 'A person confirmed that this call had no effect.';

/**
 * Changes that people make to runs. A caller may change own runs, and with `runs:read_all` all runs of the project. Every other run is
 * `not_found`.
 */
export function createRunControl({ runs, steps, worker, notifier }: RunControlDeps) {
  /** Locks a run. @throws AppError not_found for a run that does not exist or that the caller may not change */
  async function lock(tx: Tx, caller: Caller, runId: string): Promise<{ uuid: string; state: StateName }> {
    const uuid = decodeId('run', runId);
    const { project, userId } = readerOf(caller);
    const rows =
      uuid === undefined
        ? []
        : await tx.$queryRaw<{ state: StateName }[]>`
            SELECT state FROM runs WHERE id = ${uuid}::uuid AND project = ${project}
               AND (${userId ?? null}::uuid IS NULL OR user_id = ${userId ?? null}::uuid) FOR UPDATE`;
    const [row] = rows;
    if (uuid === undefined || !row) throw new AppError('not_found');
    return { uuid, state: row.state };
  }

  const stateOf = (uuid: string, state: StateName): RunState => ({ id: encodeId('run', uuid), state });

  async function cancelLocked(tx: Tx, uuid: string, state: StateName): Promise<Controlled> {
    if (state === 'canceled') return { body: stateOf(uuid, state), after: () => undefined };
    const canceled = await runs.cancel(tx, uuid);
    if (canceled.length === 0) throw new AppError('conflict', { fields: [{ field: 'run', reason: 'has ended' }] });
    return { body: stateOf(uuid, 'canceled'), after: () => canceled.forEach(notifier.ended) };
  }

  return {
    /** @throws AppError not_found; conflict for a run that has completed or failed */
    async cancel(tx: Tx, caller: Caller, runId: string): Promise<Controlled> {
      const { uuid, state } = await lock(tx, caller, runId);
      const canceled = await cancelLocked(tx, uuid, state);
      await recordDecision(tx, { ...caller, action: 'run.cancel', resource: canceled.body.id, detail: {} });
      return canceled;
    },

    /**
     * @throws AppError not_found; validation_error for a step whose outcome is known; conflict for a run that does not wait for an outcome
     */
    async decideOutcome(tx: Tx, caller: Caller, runId: string, decision: OutcomeDecision): Promise<Controlled> {
      const { uuid, state } = await lock(tx, caller, runId);
      if (state !== 'waiting')
        throw new AppError('conflict', { fields: [{ field: 'run', reason: 'does not wait for an outcome' }] });
      const { step, outcome, note } = decision;
      const detail = { step, outcome };
      await recordDecision(tx, { ...caller, action: 'run.outcome', resource: encodeId('run', uuid), detail });
      if (outcome === 'stop') return cancelLocked(tx, uuid, state);
      const happened = outcome === 'happened';
      const result = [happened ? HAPPENED : DID_NOT_HAPPEN, note].filter(Boolean).join(' ');
      const left = await steps.decideUnknown(tx, uuid, step, { outcome: happened ? 'succeeded' : 'failed', result });
      if (left === undefined) throw invalidField('step', 'is no step whose outcome is unknown');
      if (left > 0) return { body: stateOf(uuid, 'waiting'), after: () => notifier.changed([uuid]) };
      if (!(await runs.resume(tx, uuid, 'outcome')))
        throw new AppError('conflict', { fields: [{ field: 'run', reason: 'does not wait for an outcome' }] });
      return { body: stateOf(uuid, 'queued'), after: worker.takeSoon };
    },
  };
}
export type RunControl = ReturnType<typeof createRunControl>;
