import { barsOf } from './spark-bars.js';

describe('barsOf', () => {
  it('returns a bar for each value above 0, with the index of the value; the height is proportional to the value', () => {
    expect(barsOf([0, 5, null, 10])).toEqual([
      { at: 1, x: 27.5, width: 20, height: 50 },
      { at: 3, x: 77.5, width: 20, height: 100 },
    ]);
  });

  it('returns one bar when only one period has a value', () => {
    expect(barsOf([0, 0, 0, 7])).toEqual([{ at: 3, x: 77.5, width: 20, height: 100 }]);
  });

  it('gives a small value a bar that is high enough to be seen', () => {
    expect(barsOf([1, 1_000]).map(({ height }) => height)).toEqual([3, 100]);
  });

  it('returns no bars when no period has a value', () => {
    expect([barsOf([]), barsOf([null, 0])]).toEqual([[], []]);
  });
});
