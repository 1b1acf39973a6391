import { CronExpressionParser } from 'cron-parser';
import { isSchedule } from './schedule.js';

/** A cron expression of five fields in the local time of a time zone, and the period in which it applies. */
export interface ZonedSchedule {
  schedule: string;
  /** An IANA time zone name. */
  timezone: string;
  startsAt?: Date | null | undefined;
  endsAt?: Date | null | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The largest forward jump of any zone's clock since 1970, except for days skipped at the date line. */
const LONGEST_GAP_MS = 3 * HOUR_MS;
/** Maximum delay of a firing that counts as on time. The check repeats every second, and a process may pause. */
const ON_TIME_MS = MINUTE_MS;
/** Limit of search steps: more than the number of offset changes between two consecutive times of any schedule. */
const MOST_STEPS = 1_000;

/** The character `H`, for which the parser chooses a value. */
const CHOSEN_BY_PARSER = /(^|[\s,])H/i;

/** Whether the text is a cron expression of five fields with at least one time. */
export const isZonedExpression = (text: string): boolean =>
  text.length <= 200 && !CHOSEN_BY_PARSER.test(text.trim()) && isSchedule(text);

const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether the text is an IANA time zone name. */
export function isTimezone(text: string): boolean {
  if (!/^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2})$/.test(text)) return false;
  try {
    formatOf(text);
    return true;
  } catch {
    return false; // the constructor throws RangeError for an unknown time zone
  }
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
    formats.set(timezone, format);
  }
  return format;
}

/** Milliseconds by which the zone's clock is ahead of UTC. */
function offsetAt(timezone: string, time: number): number {
  const name = formatOf(timezone)
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name ?? '') ?? [];
  const ahead = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1_000;
  return sign === '-' ? -ahead : ahead;
}

/** Iterates over the local times of the schedule. `wall` is the local time, encoded as if it were UTC. */
const wallsAfter = (schedule: string, wall: number) => {
  const expression = CronExpressionParser.parse(schedule, { tz: 'UTC', currentDate: new Date(wall) });
  return () => expression.next().getTime();
};

/**
 * The instant of a local time. When the local time occurs twice, the first instant is returned. When the clock skips the local time, the
 * instant is later by the length of the skipped period.
 */
function instantOf(timezone: string, wall: number): number {
  const before = offsetAt(timezone, wall - DAY_MS);
  const after = offsetAt(timezone, wall + DAY_MS);
  if (before === after || offsetAt(timezone, wall - before) === before) return wall - before;
  return offsetAt(timezone, wall - after) === after ? wall - after : wall - before;
}

/** The next time of a schedule that names hours. Each of its local times is a scheduled time only once a day, even when the clock repeats it. */
function nextNamedTime({ schedule, timezone }: ZonedSchedule, after: number): number {
  const offset = offsetAt(timezone, after);
  // The clock may have skipped a time shortly before `after`. Such a time is moved, possibly beyond times with a later
  // local time, so the search begins earlier.
  const back = offset > offsetAt(timezone, after - LONGEST_GAP_MS) ? LONGEST_GAP_MS : 0;
  const nextWall = wallsAfter(schedule, after + offset - back - 1_000);
  let best: number | undefined;
  for (;;) {
    const wall = nextWall();
    if (best !== undefined && wall >= best + offsetAt(timezone, best)) return best;
    const instant = instantOf(timezone, wall);
    if (instant > after && (best === undefined || instant < best)) best = instant;
  }
}

/**
 * The next time of an hourly schedule. Every minute whose local time matches is a time of the schedule, also in a
 * repeated hour.
 */
function nextHourlyTime({ schedule, timezone }: ZonedSchedule, after: number): number {
  let offset = offsetAt(timezone, after);
  let from = after;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const found = wallsAfter(schedule, from + offset)() - offset;
    // The next match may be years ahead, so each pass searches only the next day for changes of the offset.
    const until = Math.min(found, from + DAY_MS);
    if (offsetAt(timezone, until) === offset) {
      if (until === found) return found;
      const isFar = found - from > 2 * DAY_MS;
      from = isFar ? Math.max(until, found - 2 * DAY_MS) : until;
      offset = offsetAt(timezone, from);
      continue;
    }
    const change = changeBetween(timezone, from, until);
    from = change - 1;
    offset = offsetAt(timezone, change);
  }
  throw new Error('the schedule has no time');
}

/** Finds the first instant between `from` and `to` at which the zone's clock has the offset of `to`. The offset of `from` must be different. */
function changeBetween(timezone: string, from: number, to: number): number {
  const offset = offsetAt(timezone, to);
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(timezone, middle) === offset) after = middle;
    else before = middle;
  }
  return after;
}

const isHourly = (schedule: string) => schedule.trim().split(/\s+/)[1]?.startsWith('*') === true;

/** The first scheduled time after `after`; `undefined` when there is none before the end of the period. */
export function nextZonedTime(zoned: ZonedSchedule, after: Date): Date | undefined {
  const from = Math.max(after.getTime(), (zoned.startsAt?.getTime() ?? 0) - 1);
  const time = (isHourly(zoned.schedule) ? nextHourlyTime : nextNamedTime)(zoned, from);
  return zoned.endsAt && time > zoned.endsAt.getTime() ? undefined : new Date(time);
}

/** At most `count` scheduled times after `after`. */
export function nextZonedTimes(zoned: ZonedSchedule, after: Date, count: number): Date[] {
  const times: Date[] = [];
  let time = nextZonedTime(zoned, after);
  while (time && times.length < count) {
    times.push(time);
    time = nextZonedTime(zoned, time);
  }
  return times;
}

/** The due times of a schedule. */
export interface DueTimes {
  /** Due times within the last minute. */
  onTime: Date[];
  /** The latest earlier time that was missed. */
  missed: Date | undefined;
  /** The first scheduled time after now. */
  next: Date | undefined;
}

/**
 * Finds the times that are due at `now`. `next` is the first scheduled time that has not been handled yet. The search takes a limited time,
 * even after a long pause of the checks.
 */
export function dueZonedTimes(zoned: ZonedSchedule, next: Date, now: Date): DueTimes {
  const onTimeFrom = now.getTime() - ON_TIME_MS;
  const onTime: Date[] = [];
  let time: Date | undefined =
    next.getTime() > onTimeFrom ? next : nextZonedTime(zoned, new Date(Math.max(onTimeFrom, next.getTime() - 1)));
  while (time && time <= now) {
    onTime.push(time);
    time = nextZonedTime(zoned, time);
  }
  const missed = next.getTime() <= onTimeFrom ? lastBetween(zoned, next, onTimeFrom) : undefined;
  return { onTime, missed, next: time };
}

/**
 * The last scheduled time from `first` to `end`; `first` is itself a scheduled time. The search window is doubled in
 * each step, so that only few times are enumerated.
 */
function lastBetween(zoned: ZonedSchedule, first: Date, end: number): Date {
  for (let window = HOUR_MS; ; window *= 2) {
    const start = Math.max(first.getTime() - 1, end - window);
    let last: Date | undefined;
    for (let time = nextZonedTime(zoned, new Date(start)); time && time.getTime() <= end;)
      [last, time] = [time, nextZonedTime(zoned, time)];
    if (last) return last;
    if (start < first.getTime()) return first;
  }
}
