import { nextZonedTime } from '@millwright/jobs/schedules';

/** Shortest time between two scheduled times, in minutes. */
export const LEAST_MINUTES = 15;
const LEAST_MS = LEAST_MINUTES * 60_000;
/** The scheduled times that are compared: those of 400 days, but at most 500. The days begin in a leap year. */
const COMPARED = { days: 400, times: 500, from: Date.UTC(2028, 0, 1) };

/** Whether two scheduled times are less than 15 minutes apart, on a clock without summer time. */
export function isTooFrequent(schedule: string): boolean {
  const zoned = { schedule, timezone: 'UTC' };
  const end = COMPARED.from + COMPARED.days * 86_400_000;
  let last = nextZonedTime(zoned, new Date(COMPARED.from - 1));
  for (let count = 1; last && last.getTime() < end && count < COMPARED.times; count += 1) {
    const next = nextZonedTime(zoned, last);
    if (next && next.getTime() - last.getTime() < LEAST_MS) return true;
    last = next;
  }
  return false;
}

/** The first time of a source's schedule after `after`; null without a schedule. */
export const nextFetchAt = (
  { schedule, timezone }: { schedule: string | null; timezone: string },
  after: Date,
): Date | null => (schedule === null ? null : (nextZonedTime({ schedule, timezone }, after) ?? null));
