const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const two = (text: string) => text.padStart(2, '0');

/** Patterns of cron schedules whose fields are `*`, one number or a step, each with its text. */
const SHAPES: readonly (readonly [pattern: RegExp, text: (...fields: string[]) => string])[] = [
  [/^\* \* \* \* \*$/, () => 'Every minute'],
  [/^\*\/(\d+) \* \* \* \*$/, (minutes = '') => `Every ${minutes} minutes`],
  [/^(\d+) \* \* \* \*$/, (minute = '') => `Every hour at :${two(minute)} UTC`],
  [/^(\d+) \*\/(\d+) \* \* \*$/, (minute = '', hours = '') => `Every ${hours} hours at :${two(minute)} UTC`],
  [/^(\d+) (\d+) \* \* \*$/, (minute = '', hour = '') => `Every day at ${two(hour)}:${two(minute)} UTC`],
  [
    /^(\d+) (\d+) \* \* ([0-7])$/,
    (minute = '', hour = '', day = '') => `Every ${DAYS[Number(day)] ?? ''} at ${two(hour)}:${two(minute)} UTC`,
  ],
  [
    /^(\d+) (\d+) (\d+) \* \*$/,
    (minute = '', hour = '', day = '') => `Day ${day} of every month at ${two(hour)}:${two(minute)} UTC`,
  ],
];

/** A cron schedule in words; `undefined` for an uncommon schedule. */
export function cronText(schedule: string): string | undefined {
  const fields = schedule.trim().replaceAll(/\s+/g, ' ');
  for (const [pattern, text] of SHAPES) {
    const found = pattern.exec(fields);
    if (found) return text(...found.slice(1));
  }
  return undefined;
}
