/**
 * Runs work on the same key one after the other in this process. Work that waits for a row locked by another request of this
 * process would hold a connection meanwhile, and a burst on one row would take the whole pool.
 */
export function createOneAtATime() {
  const last = new Map<string, Promise<unknown>>();
  return <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const result = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, result);
    const forget = () => {
      if (last.get(key) === result) last.delete(key);
    };
    result.then(forget, forget);
    return result;
  };
}
