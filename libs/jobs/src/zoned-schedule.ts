import { CronExpressionParser } from 'cron-parser';
import { isSchedule } from './schedule.js';

/** Five fields of cron in the wall clock of a time zone, and the period in which they hold. */
export interface ZonedSchedule {
  schedule: string;
  /** A name of the IANA database. */
  timezone: string;
  startsAt?: Date | null | undefined;
  endsAt?: Date | null | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** No change of a zone's offset since 1970 moved its clock ahead by more, but for days left out at the date line. */
const LONGEST_GAP_MS = 3 * HOUR_MS;
/** A time that is found late by no more than this is on time: the check repeats every second, and a process may stand still. */
const ON_TIME_MS = MINUTE_MS;
/** More changes of an offset than lie between two times of any schedule that has some. */
const MOST_STEPS = 1_000;

/** `H` stands for a value of the parser's choice. */
const CHOSEN_BY_PARSER = /(^|[\s,])H/i;

/** Whether the text is a cron expression of five fields with at least one time. */
export const isZonedExpression = (text: string): boolean =>
  text.length <= 200 && !CHOSEN_BY_PARSER.test(text.trim()) && isSchedule(text);

const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether the text names a time zone of the IANA database. */
export function isTimezone(text: string): boolean {
  if (!/^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2})$/.test(text)) return false;
  try {
    formatOf(text);
    return true;
  } catch {
    return false; // a RangeError for an unknown name
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

/** A wall clock reads like UTC here: `wall` is the time at which UTC reads what the zone's clock reads. */
const wallsAfter = (schedule: string, wall: number) => {
  const expression = CronExpressionParser.parse(schedule, { tz: 'UTC', currentDate: new Date(wall) });
  return () => expression.next().getTime();
};

/** The instant of a wall time: of two the first one; of a time that the clock skips, as much later as it skips. */
function instantOf(timezone: string, wall: number): number {
  const before = offsetAt(timezone, wall - DAY_MS);
  const after = offsetAt(timezone, wall + DAY_MS);
  if (before === after || offsetAt(timezone, wall - before) === before) return wall - before;
  return offsetAt(timezone, wall - after) === after ? wall - after : wall - before;
}

/** The next time of a schedule that names hours: each of its wall times happens once a day. */
function nextNamedTime({ schedule, timezone }: ZonedSchedule, after: number): number {
  const offset = offsetAt(timezone, after);
  // Times that a gap has moved may come after times that the clock showed later.
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

/** The next time of a schedule for every hour: each minute whose wall time fits, also in an hour that the clock repeats. */
function nextHourlyTime({ schedule, timezone }: ZonedSchedule, after: number): number {
  let offset = offsetAt(timezone, after);
  let from = after;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const found = wallsAfter(schedule, from + offset)() - offset;
    // A found time may be years ahead: changes of the offset before it are looked for day by day in the next day alone.
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

/** The first instant with the offset of `to`, when that of `from` is another one. */
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

/** The first scheduled time after `after`; `undefined` past the end. */
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

/** What is due of a schedule. */
export interface DueTimes {
  /** Times of the last minute. */
  onTime: Date[];
  /** The latest earlier time that nobody fired. */
  missed: Date | undefined;
  /** The first time after now. */
  next: Date | undefined;
}

/** What is due at `now` of a schedule whose next time was to be `next`, in bounded time however long nobody looked. */
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

/** The last time from `first`, which is one, until `end`: in windows that double, so that few times are counted. */
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
