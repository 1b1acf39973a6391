/**
 * Runs work on the same key sequentially in this process. Otherwise work that waits for a row lock of another request would hold a
 * connection meanwhile, and a burst on one row would take the whole pool.
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
