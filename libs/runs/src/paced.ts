import { setTimeout as sleep } from 'node:timers/promises';

/** Minimum time between the end of a run and the start of the next run. */
const PAUSE_MS = 100;

/** Waits until the next piece of work may start. */
export type Pause = () => Promise<unknown>;

const pauseBriefly: Pause = () => sleep(PAUSE_MS, undefined, { ref: false });

/**
 * Makes a function that runs `work` when it is called. Only one run is in progress at a time, and a pause follows each run. All requests
 * during a run or a pause cause one further run. `work` does not throw.
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
