/** The cost in USD; a dash when tokens were used whose price is unknown. */
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

/** A count with its noun: "1 account", "1,203 accounts". */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;

const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;

/** A size in binary units: "812 B", "1.5 MiB". */
export function sizeText(bytes: number): string {
  const power = bytes < 1_024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1_024 ** power;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`;
}
