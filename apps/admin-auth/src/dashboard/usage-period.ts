export const PERIODS = ['24h', '7d', '30d', '90d'] as const;
export type PeriodName = (typeof PERIODS)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The period that is shown, and an earlier period for comparison. The ends (`to`) are not included. */
export interface UsagePeriod {
  interval: 'hour' | 'day';
  /** Start of the period. The period consists of whole hours, or of whole days in UTC, and ends with the current hour or day. */
  from: Date;
  to: Date;
  /**
   * The preceding period, with the same number of hours or days. A period of days ends at the current hour of its last day, because today
   * is not over either.
   */
  before: { from: Date; to: Date };
}

export function periodOf(name: PeriodName, now: Date): UsagePeriod {
  const hourEnd = floor(now, HOUR_MS) + HOUR_MS;
  const length = name === '24h' ? DAY_MS : Number(name.slice(0, -1)) * DAY_MS;
  const to = name === '24h' ? hourEnd : floor(now, DAY_MS) + DAY_MS;
  const from = to - length;
  return {
    interval: name === '24h' ? 'hour' : 'day',
    from: new Date(from),
    to: new Date(to),
    before: { from: new Date(from - length), to: new Date(hourEnd - length) },
  };
}

/** Returns the beginning of each hour or day of the period. */
export function timesOf({ interval, from, to }: Pick<UsagePeriod, 'interval' | 'from' | 'to'>): Date[] {
  const step = interval === 'hour' ? HOUR_MS : DAY_MS;
  return Array.from(
    { length: (to.getTime() - from.getTime()) / step },
    (_, index) => new Date(from.getTime() + index * step),
  );
}

export const startOfDay = (time: Date): Date => new Date(floor(time, DAY_MS));

/** Formats a day in UTC: `2026-11-21`. */
export const dayText = (time: Date): string => time.toISOString().slice(0, 10);

function floor(time: Date, step: number): number {
  return Math.floor(time.getTime() / step) * step;
}
