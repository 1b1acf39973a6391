/** What so many tokens cost; none is said where a model has no price. */
export function costText(cost: number | null, tokens: number): string {
  if (cost === null && tokens > 0) return '—';
  const usd = cost ?? 0;
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
