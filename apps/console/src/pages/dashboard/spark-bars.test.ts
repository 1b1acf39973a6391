import { barsOf } from './spark-bars.js';

describe('barsOf', () => {
  it('has a bar at the place of each value above 0, as high as its share of the maximum', () => {
    expect(barsOf([0, 5, null, 10])).toEqual([
      { at: 1, x: 27.5, width: 20, height: 50 },
      { at: 3, x: 77.5, width: 20, height: 100 },
    ]);
  });

  it('shows a value in one period as one bar, without a slope from the periods before', () => {
    expect(barsOf([0, 0, 0, 7])).toEqual([{ at: 3, x: 77.5, width: 20, height: 100 }]);
  });

  it('keeps a small value visible', () => {
    expect(barsOf([1, 1_000]).map(({ height }) => height)).toEqual([3, 100]);
  });

  it('is empty without a value', () => {
    expect([barsOf([]), barsOf([null, 0])]).toEqual([[], []]);
  });
});
