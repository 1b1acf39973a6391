import { costText, countText } from './figures.js';

describe('a cost', () => {
  it.each([
    [null, 'unknown'],
    [0, '$0.00'],
    [0.0031, '$0.0031'],
    [0.5, '$0.50'],
    [12.345, '$12.35'],
    [1_234.5, '$1,234.50'],
  ])('%p reads as "%s"', (usd, text) => expect(costText(usd)).toBe(text));
});

describe('a count', () => {
  it.each([
    [0, '0 accounts'],
    [1, '1 account'],
    [1_203, '1,203 accounts'],
  ])('%p reads as "%s"', (count, text) => expect(countText(count, 'account')).toBe(text));
});
