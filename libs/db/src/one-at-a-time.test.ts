import { createOneAtATime } from './one-at-a-time.js';

describe('createOneAtATime', () => {
  it('starts the work of a key when the previous work of that key has succeeded or failed', async () => {
    const oneAtATime = createOneAtATime();
    let running = 0;
    const work = (fails: boolean) => async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (fails) throw new Error('no');
      return 'done';
    };
    const outcomes = await Promise.allSettled([false, true, false].map((fails) => oneAtATime('a', work(fails))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('does not delay the work of other keys', async () => {
    const oneAtATime = createOneAtATime();
    const first = Promise.withResolvers<string>();
    const held = oneAtATime('a', () => first.promise);
    await expect(oneAtATime('b', () => Promise.resolve('b'))).resolves.toBe('b');
    first.resolve('a');
    await expect(held).resolves.toBe('a');
  });
});
