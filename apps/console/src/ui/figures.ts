/** Smallest cost that is shown, in USD. */
const LEAST_SHOWN = 0.000001;

/** Formats a cost in USD. A cost of null is shown as a dash if tokens were used, because their price is unknown. */
export function costText(cost: number | null, tokens: number): string {
  if (cost === null && tokens > 0) return '—';
  const usd = cost ?? 0;
  if (usd > 0 && usd < LEAST_SHOWN) return `< $${LEAST_SHOWN.toFixed(6)}`;
  // A small cost has at least two significant digits, because a call often costs less than a hundredth of a cent.
  const digits = usd > 0 && usd < 1 ? Math.max(4, 1 - Math.floor(Math.log10(usd))) : 2;
  return usd.toLocaleString('en', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.min(digits, 6),
  });
}

/** A count with its noun: "1 account", "1,203 accounts". */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;

/** The API counts the rows of a list only up to this number. */
const MOST_COUNTED = 10_000;

/** Formats a count of the API: "812"; at the API's limit, "10,000+". */
export const limitedText = (count: number): string => `${count.toLocaleString('en')}${count < MOST_COUNTED ? '' : '+'}`;

/** Formats a count of the API with its noun: "812 users"; at the API's limit, "10,000 users or more". */
export const limitedCountText = (count: number, noun: string): string =>
  `${countText(count, noun)}${count < MOST_COUNTED ? '' : ' or more'}`;

const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;

/** A size in binary units: "812 B", "1.5 MiB". */
export function sizeText(bytes: number): string {
  const power = bytes < 1_024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1_024 ** power;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`;
}
