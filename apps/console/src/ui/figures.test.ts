import { costText, countText } from './figures.js';

describe('a cost', () => {
  it.each([
    [null, 10, '—'],
    [null, 0, '$0.00'],
    [0, 10, '$0.00'],
    [0.0031, 10, '$0.0031'],
    [0.5, 10, '$0.50'],
    [12.345, 10, '$12.35'],
    [1_234.5, 10, '$1,234.50'],
  ])('of %p for %p tokens reads as "%s"', (cost, tokens, text) => expect(costText(cost, tokens)).toBe(text));
});

describe('a count', () => {
  it.each([
    [0, '0 accounts'],
    [1, '1 account'],
    [1_203, '1,203 accounts'],
  ])('%p reads as "%s"', (count, text) => expect(countText(count, 'account')).toBe(text));
});
