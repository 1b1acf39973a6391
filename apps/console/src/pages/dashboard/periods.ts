import type { Period } from '../../api/dashboard-records.js';

/** What can be shown, what it is called, and what it is compared with. */
export const PERIODS: Readonly<Record<Period, { short: string; last: string; before: string }>> = {
  '24h': { short: '24 h', last: 'the last 24 hours', before: 'the 24 hours before' },
  '7d': { short: '7 d', last: 'the last 7 days', before: 'the 7 days before' },
  '30d': { short: '30 d', last: 'the last 30 days', before: 'the 30 days before' },
  '90d': { short: '90 d', last: 'the last 90 days', before: 'the 90 days before' },
};

const DEFAULT: Period = '7d';

/** What an address names; the default for anything else. */
export function periodOf(text: string): Period {
  return Object.hasOwn(PERIODS, text) ? (text as Period) : DEFAULT;
}

/** How an address names it: the default is not named. */
export const periodText = (period: string): string | null => (period === DEFAULT ? null : period);
