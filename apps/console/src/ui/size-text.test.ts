import { sizeText } from './size-text.js';

describe('a size', () => {
  it.each([
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_024, '1.0 KiB'],
    [1_572_864, '1.5 MiB'],
    [524_288_000, '500 MiB'],
    [5_497_558_138_880, '5120 GiB'],
  ])('of %p bytes reads as "%s"', (bytes, text) => expect(sizeText(bytes)).toBe(text));
});
