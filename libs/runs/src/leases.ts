import { newId, runOwnedBy } from '@millwright/db';
import { RunLost, type Fence } from './run.js';
import type { RunSignals } from './run-signals.js';
import { LEASE_MS } from './run-leases.store.js';
import type { RunStore } from './runs.store.js';

/** Renewal interval: a third of a lease. */
const RENEW_MS = 3_000;
/** Safety margin: a process regards its lease as expired this long before the database does. */
const LEASE_MARGIN_MS = 1_000;
/** Maximum duration of the transaction in which a process takes a run. */
const TRANSACTION_MS = 4_000;

export interface LeasesOptions {
  runs: Pick<RunStore, 'renew' | 'release'>;
  signals: Pick<RunSignals, 'watch'>;
  /** Called with the error when leases cannot be renewed or given up. */
  onError: (error: unknown) => void;
  /** Milliseconds since any fixed time. Default: the monotonic clock. */
  now?: (() => number) | undefined;
}

interface HeldRun {
  fence: Fence;
  controller: AbortController;
  unwatch: () => void;
  /** End of the run's lease by the monotonic clock of this process. */
  until: number;
}

/** Renews the leases of the runs that this process executes until they are released, and stops runs that have ended elsewhere. */
export function createLeases({ runs, signals, onError, now = () => performance.now() }: LeasesOptions) {
  /** The id of this process, which is stored as the worker of its runs. */
  const id = newId();
  const held = new Map<string, HeldRun>();
  let renewing: NodeJS.Timeout | undefined;

  const leaseFromNow = () => now() + LEASE_MS - LEASE_MARGIN_MS;

  const stop = (runId: string) => held.get(runId)?.controller.abort(new RunLost());

  async function renew(): Promise<void> {
    const renewed = [...held.values()];
    const until = leaseFromNow();
    const fences = renewed.map(({ fence }) => fence);
    const kept = new Set((await runs.renew(id, fences)).map(({ runId }) => runId));
    for (const run of renewed) {
      if (kept.has(run.fence.runId)) run.until = until;
      else run.controller.abort(new RunLost());
    }
  }

  function stopRenewing(): void {
    clearInterval(renewing);
    renewing = undefined;
  }

  return {
    id,

    /** Returns the number of runs with a lease of this process. */
    count: () => held.size,

    /**
     * Starts to renew the lease of a started run.
     * @returns a signal that is aborted when the run ends elsewhere or is lost
     */
    hold(fence: Fence): AbortSignal {
      // Ends an earlier execution of the run in this process. There is one when this process was frozen, lost the run, and then took it
      // over itself.
      stop(fence.runId);
      held.get(fence.runId)?.unwatch();
      const controller = new AbortController();
      const unwatch = signals.watch(fence.runId, (ended) => ended && stop(fence.runId));
      held.set(fence.runId, { fence, controller, unwatch, until: leaseFromNow() - TRANSACTION_MS });
      // For the queue for database connections, the process owns the statements of the timer. Otherwise the user of the first run would own
      // them, although they renew the leases of the runs of all users.
      renewing ??= runOwnedBy('process', () => setInterval(() => void renew().catch(onError), RENEW_MS));
      return controller.signal;
    },

    /** Stops renewing the lease of this attempt. @returns whether this process had the lease of this attempt */
    letGo({ runId, attempt }: Fence): boolean {
      const run = held.get(runId);
      if (run?.fence.attempt !== attempt) return false;
      run.unwatch();
      held.delete(runId);
      if (held.size === 0) stopRenewing();
      return true;
    },

    /**
     * Call this right before an irreversible message is sent: after a freeze, a process may have lost its runs and not
     * have been notified yet.
     *
     * @throws RunLost when this process does not have a valid lease of this attempt
     */
    requireLease({ runId, attempt }: Fence): void {
      const run = held.get(runId);
      if (run?.fence.attempt === attempt && now() < run.until) return;
      if (run?.fence.attempt === attempt) run.controller.abort(new RunLost());
      throw new RunLost();
    },

    /** Gives up all runs: their leases end immediately. */
    async close(): Promise<void> {
      for (const runId of held.keys()) stop(runId);
      stopRenewing();
      if (held.size > 0) await runs.release(id).catch(onError);
    },
  };
}
export type Leases = ReturnType<typeof createLeases>;
