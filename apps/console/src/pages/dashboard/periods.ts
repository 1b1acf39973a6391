import type { Period } from '../../api/admin-records.js';

/** Periods with their labels, and the name of the period with which each is compared. */
export const PERIODS: Readonly<Record<Period, { short: string; last: string; before: string }>> = {
  '24h': { short: '24 h', last: 'the last 24 hours', before: 'the 24 hours before' },
  '7d': { short: '7 d', last: 'the last 7 days', before: 'the 7 days before' },
  '30d': { short: '30 d', last: 'the last 30 days', before: 'the 30 days before' },
  '90d': { short: '90 d', last: 'the last 90 days', before: 'the 90 days before' },
};

const DEFAULT: Period = '7d';

const isPeriod = (text: string): text is Period => Object.hasOwn(PERIODS, text);

/** Returns the period in the address, or the default. */
export function periodOf(text: string): Period {
  return isPeriod(text) ? text : DEFAULT;
}

/** The period for the address; the default is left out. */
export const periodText = (period: string): string | null => (period === DEFAULT ? null : period);
