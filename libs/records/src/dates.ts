import { z } from 'zod';

const [FIRST_DAY, LAST_DAY] = ['2000-01-01', '2999-12-31'];
const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** A calendar day in UTC, as `YYYY-MM-DD`. The limits ensure that PostgreSQL can compare all days that are computed from such a day. */
export const calendarDay = z.iso
  .date()
  .refine((day) => day >= FIRST_DAY && day <= LAST_DAY, `must be between ${FIRST_DAY} and ${LAST_DAY}`);

/** A time with its offset (RFC 3339). PostgreSQL and JavaScript can write every time between the limits. */
export const timestamp = z.iso.datetime({ offset: true, message: 'is not a time with a time zone' }).refine((text) => {
  const time = Date.parse(text);
  return time >= FIRST_TIME && time <= LAST_TIME;
}, 'must be between the years 1 and 9999 in UTC');
