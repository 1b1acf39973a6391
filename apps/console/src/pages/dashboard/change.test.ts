import { changeOf } from './change.js';

describe('changeOf', () => {
  it.each([
    [110, 100, '10%', 'more'],
    [50, 100, '50%', 'less'],
    [0, 100, '100%', 'less'],
    [1_001, 1_000, 'No change', 'same'],
    [12_345, 10, '1,235×', 'more'],
    [5, 0, '0 before', 'more'],
    [0, 0, 'No change', 'same'],
    [7, 7, 'No change', 'same'],
  ] as const)('describes the change to %d from %d as %s, %s', (value, before, text, direction) => {
    expect(changeOf(value, before)).toEqual({ text, direction });
  });

  it('returns undefined when either value is unknown', () => {
    expect([changeOf(null, 1), changeOf(1, null), changeOf(null, null)]).toEqual([undefined, undefined, undefined]);
  });
});
