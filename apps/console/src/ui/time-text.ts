const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const SOON_DAYS = 31;
/** So far the clocks of server and browser may be apart. */
const SKEW_S = 5;

/** "3 hours ago", "in 2 days"; the day beyond a month. */
export function timeText(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1_000;
  if (Math.abs(seconds) > SOON_DAYS * 86_400) return dayFormat.format(time);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  if (unit === 'second') return seconds > SKEW_S ? 'in a moment' : 'just now';
  return relative.format(Math.round(seconds / size), unit);
}
