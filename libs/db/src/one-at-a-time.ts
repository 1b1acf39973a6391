/**
 * Runs work on the same key one after the other in this process. Otherwise, work that waits for another request's row
 * lock would keep a connection meanwhile, and many requests for one row would take the whole pool.
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
