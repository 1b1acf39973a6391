import { CronExpressionParser } from 'cron-parser';

/** Ticks that came due within this time are each delivered, however seldom anyone looked. */
const WINDOW_MS = 60_000;

const parse = (schedule: string, currentDate?: Date) =>
  CronExpressionParser.parse(schedule, { tz: 'UTC', ...(currentDate && { currentDate }) });

/** Whether it is a cron expression of five fields that comes due at all. */
export function isSchedule(text: string): boolean {
  try {
    return text.trim().split(/\s+/).length === 5 && parse(text).next().getTime() > 0;
  } catch {
    return false; // the parser throws for what it cannot read, and for dates that do not exist
  }
}

/** The latest tick up to `now`. */
export function lastTick(schedule: string, now: Date): Date {
  return parse(schedule, new Date(now.getTime() + 1))
    .prev()
    .toDate();
}

/** The first tick after `after`. */
export function nextTick(schedule: string, after: Date): Date {
  return parse(schedule, after).next().toDate();
}

/**
 * The ticks that are due, oldest first: each of the last minute, and of the time before only the latest one that nobody delivered.
 * `last` is the latest tick delivered; without one there is nothing to make good.
 */
export function dueTicks(schedule: string, last: Date | undefined, now: Date): Date[] {
  const windowStart = now.getTime() - WINDOW_MS;
  const expression = parse(schedule, new Date(now.getTime() + 1));
  const due: Date[] = [];
  for (;;) {
    const tick = expression.prev().toDate();
    if (last ? tick <= last : tick.getTime() <= windowStart) return due;
    due.unshift(tick);
    if (tick.getTime() <= windowStart) return due.length > 1 ? due.slice(1) : due;
  }
}
