import { calculate, NotCalculable } from './calculate.js';

describe('calculate', () => {
  it.each([
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['0.1 + 0.2', 0.3],
    ['10 - 4 - 3', 3],
    ['100 / 8 / 5', 2.5],
    ['17 % 5', 2],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['--3 + +.5', 3.5],
    ['1.5e3*2', 3000],
    ['((((7))))', 7],
  ])('returns for %s the result %d', (expression, value) => expect(calculate(expression)).toBe(value));

  it.each([
    ['', 'The expression is incomplete.'],
    ['2 +', 'The expression is incomplete.'],
    ['(1', 'The expression is incomplete.'],
    ['2 2', '"2" at character 3 is not expected there.'],
    ['1 + )', '")" at character 5 is not expected there.'],
    ['process.exit()', '"p" at character 1 is not part of a calculation.'],
    ['1 / 0', 'The expression divides by zero.'],
    ['1 % (2 - 2)', 'The expression divides by zero.'],
    ['9 ^ 9 ^ 9', 'The result is not a finite number.'],
    ['(-8) ^ 0.5', 'The result is not a finite number.'],
    ['('.repeat(500), 'The expression is nested deeper than 50.'],
    ['-'.repeat(500), 'The expression is nested deeper than 50.'],
    ['2^'.repeat(499) + '2', 'The expression is nested deeper than 50.'],
  ])('refuses %s', (expression, reason) => {
    expect(() => calculate(expression)).toThrow(new NotCalculable(reason));
  });
});
