/** Tracks work for requests whose clients have disconnected. The process finishes this work before it exits. */
export interface Work {
  track<Result>(promise: Promise<Result>): Promise<Result>;
  /** Resolves when no work is in progress. */
  settled(): Promise<void>;
}

export function createWork(): Work {
  const underWay = new Set<Promise<unknown>>();
  return {
    track(promise) {
      underWay.add(promise);
      const done = () => underWay.delete(promise);
      promise.then(done, done);
      return promise;
    },
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
