import { startDeadline } from './deadline.js';

/** A limit of concurrent work. Further work waits and starts in the order of arrival. */
export interface Lane {
  /** Runs `work` when a place is free. @throws Error when no place becomes free within `waitMs`. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Makes a lane. `waitMs` is the maximum wait for a place, in milliseconds. */
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
        // failures.ts recognises a busy database by this message.
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
        // The work that has waited longest gets the place.
        if (next) next();
        else free += 1;
      }
    },
  };
}
