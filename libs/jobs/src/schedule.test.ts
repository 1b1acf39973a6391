import { dueTimes, isSchedule, lastScheduledTime, nextScheduledTime } from './schedule.js';

const at = (text: string) => new Date(`2026-03-01T${text}Z`);
const times = (dates: Date[]) => dates.map((date) => date.toISOString().slice(11, 19));

describe('isSchedule', () => {
  it.each(['* * * * *', '*/5 * * * *', '0 3 * * 1-5', '30 0 1 * *', '0 0 29 2 *', '0 9 * * MON'])(
    'accepts %s',
    (text) => {
      expect(isSchedule(text)).toBe(true);
    },
  );

  it.each([
    '',
    'daily',
    '@daily',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '0 0 30 2 *',
    '*/0 * * * *',
    'FREQ=DAILY',
    'a b c d e',
  ])('refuses %j', (text) => expect(isSchedule(text)).toBe(false));
});

describe('nextScheduledTime', () => {
  it('returns the first scheduled time after the given time, in UTC', () => {
    expect(nextScheduledTime('0 3 * * *', at('03:00:00')).toISOString()).toBe('2026-03-02T03:00:00.000Z');
  });
});

describe('lastScheduledTime', () => {
  it('returns the given time when it is a scheduled time', () => {
    expect(
      times([lastScheduledTime('*/5 * * * *', at('12:05:00')), lastScheduledTime('*/5 * * * *', at('12:04:59'))]),
    ).toEqual(['12:05:00', '12:00:00']);
  });
});

describe('dueTimes', () => {
  it('returns a scheduled time from the moment when it is due until it is delivered', () => {
    expect(times(dueTimes('*/5 * * * *', at('11:55:00'), at('11:59:59')))).toEqual([]);
    expect(times(dueTimes('*/5 * * * *', at('11:55:00'), at('12:00:00')))).toEqual(['12:00:00']);
    expect(times(dueTimes('*/5 * * * *', at('11:55:00'), at('12:04:59')))).toEqual(['12:00:00']);
    expect(times(dueTimes('*/5 * * * *', at('12:00:00'), at('12:04:59')))).toEqual([]);
  });

  it('returns only the latest of many missed times', () => {
    expect(times(dueTimes('* * * * *', at('09:00:00'), at('12:00:30')))).toEqual(['12:00:00']);
    expect(times(dueTimes('0 * * * *', at('03:00:00'), at('12:30:00')))).toEqual(['12:00:00']);
  });

  it('returns no missed time for a job that has never run', () => {
    expect(times(dueTimes('0 * * * *', undefined, at('12:30:00')))).toEqual([]);
    expect(times(dueTimes('0 * * * *', undefined, at('12:00:20')))).toEqual(['12:00:00']);
  });

  it('returns every scheduled time of the last minute', () => {
    expect(dueTimes('* * * * * *', at('12:00:00'), at('12:00:20'))).toHaveLength(20);
  });
});
