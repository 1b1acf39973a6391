import { startDeadline } from './deadline.js';

/** A limit of work at the same time; what comes later waits, in the order of arrival. */
export interface Lane {
  /** @throws Error when there is no place within the time. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** `waitMs`: longest wait for a place. */
export function createLane(places: number, waitMs: number): Lane {
  const waiting = new Set<() => void>();
  let free = places;

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        waiting.delete(go);
        callOff();
        resolve();
      };
      const callOff = startDeadline(waitMs, () => {
        waiting.delete(go);
        // The text by which failures.ts knows that the database is busy.
        reject(new Error('timeout exceeded when trying to connect'));
      });
      waiting.add(go);
    });
  }

  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await wait();
      try {
        return await work();
      } finally {
        const [next] = waiting;
        // The place passes to the one that has waited longest.
        if (next) next();
        else free += 1;
      }
    },
  };
}
