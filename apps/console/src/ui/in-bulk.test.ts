import { bulkText, inBulk } from './in-bulk.js';

describe('inBulk', () => {
  it('calls the action for every row, at most four at a time', async () => {
    let [running, most] = [0, 0];
    const rows = Array.from({ length: 25 }, (_, n) => n);
    const { done, failed } = await inBulk(rows, async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    });
    expect(done.sort((a, b) => a - b)).toEqual(rows);
    expect([failed, most]).toEqual([[], 4]);
  });

  it('calls the action for the other rows after a failure, and returns the failed row with its error', async () => {
    const { done, failed } = await inBulk(['a', 'b', 'c'], (row) =>
      row === 'b' ? Promise.reject(new Error('It is used.')) : Promise.resolve(),
    );
    expect(done).toEqual(['a', 'c']);
    expect(failed.map(({ row, error }) => [row, error.message])).toEqual([['b', 'It is used.']]);
  });
});

describe('bulkText', () => {
  const error = new Error('It is used.');

  it.each([
    [{ done: ['a'], failed: [] }, '1 agent deleted.'],
    [{ done: ['a', 'b'], failed: [] }, '2 agents deleted.'],
    [
      {
        done: ['a'],
        failed: [
          { row: 'b', error },
          { row: 'c', error },
        ],
      },
      '1 of 3 agents deleted. Not done: It is used.',
    ],
  ])('describes the result %j in a sentence', (result, text) =>
    expect(bulkText(result, 'agent', 'deleted')).toBe(text),
  );
});
