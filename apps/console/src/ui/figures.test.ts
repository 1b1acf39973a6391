import { costText, countText, limitedCountText, limitedText, sizeText } from './figures.js';

describe('costText', () => {
  it.each([
    [null, 10, '—'],
    [null, 0, '$0.00'],
    [0, 10, '$0.00'],
    [0.0031, 10, '$0.0031'],
    [0.0000048, 10, '$0.000005'],
    [0.00012345, 10, '$0.00012'],
    [0.0000003, 10, '< $0.000001'],
    [0.5, 10, '$0.50'],
    [12.345, 10, '$12.35'],
    [1_234.5, 10, '$1,234.50'],
  ])('writes %p USD for %p tokens as "%s"', (cost, tokens, text) => expect(costText(cost, tokens)).toBe(text));
});

describe('countText', () => {
  it.each([
    [0, '0 accounts'],
    [1, '1 account'],
    [1_203, '1,203 accounts'],
  ])('writes a count of %p as "%s"', (count, text) => expect(countText(count, 'account')).toBe(text));
});

describe('a count that the API limits to 10,000', () => {
  it.each([
    [1, '1', '1 user'],
    [9_999, '9,999', '9,999 users'],
    [10_000, '10,000+', '10,000 users or more'],
  ])('of %p is written as "%s", and with a noun as "%s"', (count, text, withNoun) => {
    expect([limitedText(count), limitedCountText(count, 'user')]).toEqual([text, withNoun]);
  });
});

describe('sizeText', () => {
  it.each([
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_024, '1.0 KiB'],
    [1_572_864, '1.5 MiB'],
    [524_288_000, '500 MiB'],
    [5_497_558_138_880, '5120 GiB'],
  ])('writes %p bytes as "%s"', (bytes, text) => expect(sizeText(bytes)).toBe(text));
});
