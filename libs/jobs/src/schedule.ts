import { CronExpressionParser } from 'cron-parser';

/**
 * Period in which a scheduled time is still delivered on time: every scheduled time of the last minute is delivered,
 * even when no process checked during that minute.
 */
const WINDOW_MS = 60_000;

const parse = (schedule: string, currentDate?: Date) =>
  CronExpressionParser.parse(schedule, { tz: 'UTC', ...(currentDate && { currentDate }) });

/** Whether the text is a cron expression of five fields with at least one future time. */
export function isSchedule(text: string): boolean {
  try {
    return text.trim().split(/\s+/).length === 5 && parse(text).next().getTime() > 0;
  } catch {
    return false; // the parser throws for an invalid text, and for dates that do not exist
  }
}

/** Returns the latest scheduled time up to `now`. */
export function lastScheduledTime(schedule: string, now: Date): Date {
  return parse(schedule, new Date(now.getTime() + 1))
    .prev()
    .toDate();
}

/** Returns the first scheduled time after `after`. */
export function nextScheduledTime(schedule: string, after: Date): Date {
  return parse(schedule, after).next().toDate();
}

/**
 * Returns the due times, the oldest first: every time within the last minute, and the latest of the earlier times that were missed. `last`
 * is the latest delivered time. Without it, no earlier time counts as missed.
 */
export function dueTimes(schedule: string, last: Date | undefined, now: Date): Date[] {
  const windowStart = now.getTime() - WINDOW_MS;
  const expression = parse(schedule, new Date(now.getTime() + 1));
  const due: Date[] = [];
  for (;;) {
    const time = expression.prev().toDate();
    if (last ? time <= last : time.getTime() <= windowStart) return due;
    due.unshift(time);
    if (time.getTime() <= windowStart) return due.length > 1 ? due.slice(1) : due;
  }
}
