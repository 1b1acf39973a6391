const HOUR_MS = 3_600_000;

export const PERIODS = { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', custom: 'Custom' } as const;
const LENGTHS: Readonly<Record<string, number>> = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS };

export interface Range {
  /** Name of a predefined period, or empty. */
  period: string;
  /** Local times, in the format of the form's inputs. */
  from: string;
  to: string;
}

/** Returns the name of the period that applies: `custom` when there are explicit times, which take precedence over a named period. */
export const periodOf = ({ period, from, to }: Range): string =>
  from !== '' || to !== '' ? 'custom' : Object.hasOwn(PERIODS, period) ? period : '';

/** Returns the range for the API. It starts at a full minute, so that the query key stays the same for a minute. */
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
