import { isTooFrequent, nextFetchAt } from './schedule.js';

describe('isTooFrequent', () => {
  it.each(['* * * * *', '*/14 * * * *', '0,10 9 * * *', '5,55 * * * *', '0,50 0,23 * * *', '0,59 * 1 1 *'])(
    'returns true for %s',
    (schedule) => expect(isTooFrequent(schedule)).toBe(true),
  );
  it.each(['*/15 * * * *', '0 * * * *', '7,22,37,52 * * * *', '0 6 * * MON-FRI', '0 0 29 2 *', '30 2,3 * * *'])(
    'returns false for %s',
    (schedule) => expect(isTooFrequent(schedule)).toBe(false),
  );
});

describe('nextFetchAt', () => {
  it("returns the next scheduled time in the schedule's time zone, and null without a schedule", () => {
    const after = new Date('2026-11-27T05:30:00Z');
    const zoned = { schedule: '0 6 * * *', timezone: 'Europe/Berlin' };
    expect(nextFetchAt(zoned, after)?.toISOString()).toBe('2026-11-28T05:00:00.000Z');
    expect(nextFetchAt({ ...zoned, schedule: null }, after)).toBeNull();
  });
});
