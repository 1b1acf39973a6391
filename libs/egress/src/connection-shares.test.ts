import { createConnectionShares } from './connection-shares.js';

const never = new AbortController().signal;

describe('createConnectionShares', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('admits one waiting call, in the order of arrival, for each call that ends, even when an end is reported twice', async () => {
    const enter = createConnectionShares({ most: 1, waitMs: 100 });
    const leave = await enter('a', never);
    const admitted: string[] = [];
    const second = enter('a', never).then((end) => (admitted.push('second'), end));
    const third = enter('a', never).then((end) => (admitted.push('third'), end));
    leave();
    leave();
    const endSecond = await second;
    await Promise.resolve();
    expect(admitted).toEqual(['second']);
    endSecond();
    (await third)();
    expect(admitted).toEqual(['second', 'third']);
  });

  it('admits no new call when a waiting call has already replaced the call that ended', async () => {
    const enter = createConnectionShares({ most: 1, waitMs: 100 });
    const leave = await enter('a', never);
    const second = enter('a', never);
    leave();
    await second;
    const further = expect(enter('a', never)).rejects.toMatchObject({ kind: 'busy' });
    await jest.advanceTimersByTimeAsync(100);
    await further;
  });

  it('refuses a call that waited too long, and admits the next call after another call has ended', async () => {
    const enter = createConnectionShares({ most: 1, waitMs: 100 });
    const leave = await enter('a', never);
    const late = expect(enter('a', never)).rejects.toMatchObject({ name: 'EgressError', kind: 'busy' });
    await jest.advanceTimersByTimeAsync(100);
    await late;
    leave();
    (await enter('a', never))();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not delay the calls of one share when another share is full', async () => {
    const enter = createConnectionShares({ most: 1, waitMs: 100 });
    await enter('a', never);
    await expect(enter('b', never)).resolves.toBeInstanceOf(Function);
  });

  it('removes a waiting call from the queue when its caller has disconnected', async () => {
    const enter = createConnectionShares({ most: 1, waitMs: 100 });
    const leave = await enter('a', never);
    const leaving = new AbortController();
    const gone = expect(enter('a', leaving.signal)).rejects.toThrow('left');
    leaving.abort(new Error('left'));
    await gone;
    leave();
    await expect(enter('a', never)).resolves.toBeInstanceOf(Function);
  });
});
