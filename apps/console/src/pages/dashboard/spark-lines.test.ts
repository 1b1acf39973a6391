import { linesOf } from './spark-lines.js';

describe('linesOf', () => {
  it('reaches from the first point to the last, and from 0 to the most', () => {
    expect(linesOf([0, 5, 10])).toEqual([{ line: 'M0 100L50 50L100 0', area: 'M0 100L0 100L50 50L100 0L100 100Z' }]);
  });

  it('is interrupted where a value is not known', () => {
    expect(linesOf([1, 1, null, 1, 1]).map(({ line }) => line)).toEqual(['M0 0L25 0', 'M75 0L100 0']);
  });

  it('is a dot where one value is known, and nothing where none is', () => {
    expect(linesOf([null, null, 7])).toEqual([{ line: 'M98 8h0', area: '' }]);
    expect([linesOf([]), linesOf([null])]).toEqual([[], []]);
  });
});
