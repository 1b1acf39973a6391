import { calendarDay, timestamp } from './index.js';

describe('calendarDay', () => {
  it.each(['2000-01-01', '2026-02-28', '2999-12-31'])('accepts %s', (day) => expect(calendarDay.parse(day)).toBe(day));

  it.each(['0000-02-29', '1999-12-31', '3000-01-01', '2026-02-30', '2026-1-1', '2026-01-01T00:00:00Z', ''])(
    'refuses %p',
    (day) => expect(calendarDay.safeParse(day).success).toBe(false),
  );
});

describe('timestamp', () => {
  it.each([
    '0001-01-01T00:00:00Z',
    '2026-02-28T12:00:00.123456+05:30',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59+01:00',
  ])('accepts %s as written', (time) => expect(timestamp.parse(time)).toBe(time));

  it.each([
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-02-28T12:00:00',
    '2026-02-28',
    'yesterday',
  ])('refuses %s', (time) => expect(timestamp.safeParse(time).success).toBe(false));
});
