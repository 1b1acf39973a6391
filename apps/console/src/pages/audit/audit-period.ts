const HOUR_MS = 3_600_000;

export const PERIODS = { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', custom: 'Custom' } as const;
const LENGTHS: Readonly<Record<string, number>> = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS };

export interface Range {
  /** One of the periods, or nothing. */
  period: string;
  /** Times of the reader's zone, as the form has them. */
  from: string;
  to: string;
}

/** Times stand for themselves, whatever else an address says. */
export const periodOf = ({ period, from, to }: Range): string =>
  from !== '' || to !== '' ? 'custom' : Object.hasOwn(PERIODS, period) ? period : '';

/** From when to when, for the API. In whole minutes: the same question for as long. */
export function rangeOf(range: Range, now: Date): { from: string; to: string } {
  const length = LENGTHS[periodOf(range)];
  if (length === undefined) return { from: instant(range.from), to: instant(range.to) };
  const minute = Math.floor(now.getTime() / 60_000) * 60_000;
  return { from: new Date(minute - length).toISOString(), to: '' };
}

function instant(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
