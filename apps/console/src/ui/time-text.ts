/** Each unit, with its length in seconds and the length of the next smaller unit. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number, number][] = [
  ['day', 86_400, 3_600],
  ['hour', 3_600, 60],
  ['minute', 60, 1],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const SOON_DAYS = 31;
/** Allowed difference in seconds between the clocks of server and browser. */
const SKEW_S = 5;

/** A relative time: "3 hours ago", "in 2 days". A time more than a month away is shown as its date. */
export function timeText(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1_000;
  if (Math.abs(seconds) > SOON_DAYS * 86_400) return dayFormat.format(time);
  // When rounding results in 60 minutes, the unit is the hour: "in 1 hour", not "in 60 minutes".
  const [unit, size] = UNITS.find(([, length, part]) => Math.round(Math.abs(seconds) / part) * part >= length) ?? [];
  if (unit === undefined || size === undefined) return seconds > SKEW_S ? 'in a few seconds' : 'just now';
  return relative.format(Math.round(seconds / size), unit);
}
