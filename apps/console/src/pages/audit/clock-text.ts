const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;

/** A time of day in the reader's time zone, such as "20:06:14"; with the date, unless the date is today. */
export function clockText(time: Date, now: Date): string {
  const clock = time.toLocaleTimeString('en', CLOCK);
  if (time.toDateString() === now.toDateString()) return clock;
  const isThisYear = time.getFullYear() === now.getFullYear();
  const day = time.toLocaleDateString('en', {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  });
  return `${day}, ${clock}`;
}

/** A date and time to the second, with the time zone. */
export const zonedText = (at: string): string =>
  new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' });
