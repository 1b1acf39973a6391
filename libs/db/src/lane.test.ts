import { setImmediate } from 'node:timers/promises';
import { createLane } from './lane.js';

const LONG_MS = 60_000;

/** Makes pieces of work that end when the test ends them. */
function createWorks(lane: ReturnType<typeof createLane>) {
  const begun: number[] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const done: Promise<unknown>[] = [];
  return {
    begun,
    done,
    start: (id: number) =>
      done.push(
        lane
          .run(() => {
            begun.push(id);
            return new Promise<void>((resolve, reject) => {
              ends[id] = (failure) => (failure ? reject(failure) : resolve());
            });
          })
          .catch((error: unknown) => error),
      ),
    end: async (id: number, failure?: Error) => {
      ends[id]?.(failure);
      await setImmediate();
    },
  };
}

describe('a lane', () => {
  it('never exceeds its limit of concurrent work, and starts waiting work in the order of arrival', async () => {
    const { begun, start, end } = createWorks(createLane(2, LONG_MS));
    for (const id of [0, 1, 2, 3]) start(id);
    expect(begun).toEqual([0, 1]);
    await end(1);
    expect(begun).toEqual([0, 1, 2]);
    await end(0);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('starts waiting work when running work ends, and also when running work fails', async () => {
    const { begun, done, start, end } = createWorks(createLane(1, LONG_MS));
    for (const id of [0, 1]) start(id);
    const failure = new Error('no');
    await end(0, failure);
    expect(await done[0]).toBe(failure);
    await end(1);
    start(2);
    expect(begun).toEqual([0, 1, 2]);
  });

  it('refuses work that cannot start within the wait limit, and never starts it', async () => {
    const { begun, done, start, end } = createWorks(createLane(1, 20));
    for (const id of [0, 1]) start(id);
    expect(await done[1]).toEqual(new Error('timeout exceeded when trying to connect'));
    await end(0);
    start(2);
    expect(begun).toEqual([0, 2]);
  });
});
