import { linesOf } from './spark-lines.js';

describe('linesOf', () => {
  it('spans the drawing area from the first point to the last, and from 0 to the maximum', () => {
    expect(linesOf([0, 5, 10])).toEqual([{ line: 'M0 100L50 50L100 0', area: 'M0 100L0 100L50 50L100 0L100 100Z' }]);
  });

  it('has a gap at an unknown value', () => {
    expect(linesOf([1, 1, null, 1, 1]).map(({ line }) => line)).toEqual(['M0 0L25 0', 'M75 0L100 0']);
  });

  it('draws a dot for a single known value, and nothing when no value is known', () => {
    expect(linesOf([null, null, 7])).toEqual([{ line: 'M98 8h0', area: '' }]);
    expect([linesOf([]), linesOf([null])]).toEqual([[], []]);
  });
});
