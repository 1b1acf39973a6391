import { setTimeout as sleep } from 'node:timers/promises';

/** The time between the end of one run and the beginning of the next. */
const PAUSE_MS = 100;

/** Resolves when the next run may begin. */
export type Pause = () => Promise<unknown>;

const pauseBriefly: Pause = () => sleep(PAUSE_MS, undefined, { ref: false });

/**
 * Runs `work` at once when it is requested, but only one run at a time, and with a pause after each. All requests made meanwhile lead to
 * one further run. `work` does not throw.
 *
 * @returns the function that requests a run
 */
export function createPaced(work: () => Promise<void>, pause: Pause = pauseBriefly): () => void {
  let [requested, busy] = [false, false];
  async function run(): Promise<void> {
    while (requested) {
      requested = false;
      await work();
      await pause();
    }
    busy = false;
  }
  return () => {
    requested = true;
    if (busy) return;
    busy = true;
    void run();
  };
}
