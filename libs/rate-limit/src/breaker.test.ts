import { createBreaker } from './breaker.js';

describe('createBreaker', () => {
  it('opens after three failures in a row, but not after three failures with a success between them', async () => {
    const changes: boolean[] = [];
    const breaker = createBreaker({
      probe: () => Promise.reject(new Error('down')),
      onChange: (open) => changes.push(open),
    });
    const fail = () => breaker.run(() => Promise.reject(new Error('down')));
    for (let n = 0; n < 3; n += 1) {
      await fail();
      await fail();
      expect(await breaker.run(() => Promise.resolve('up'))).toBe('up');
    }
    expect(changes).toEqual([]);
    for (let n = 0; n < 3; n += 1) await fail();
    expect(changes).toEqual([true]);
    breaker.stop();
  });
});
