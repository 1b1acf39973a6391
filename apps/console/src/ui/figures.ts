/** Model cost; unknown where a model has no price. */
export function costText(usd: number | null): string {
  if (usd === null) return 'unknown';
  return usd.toLocaleString('en', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: usd !== 0 && usd < 1 ? 4 : 2,
  });
}

/** "1 account", "1,203 accounts". */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;
