import { dueTicks, isSchedule, lastTick, nextTick } from './schedule.js';

const at = (text: string) => new Date(`2026-03-01T${text}Z`);
const times = (ticks: Date[]) => ticks.map((tick) => tick.toISOString().slice(11, 19));

describe('isSchedule', () => {
  it.each(['* * * * *', '*/5 * * * *', '0 3 * * 1-5', '30 0 1 * *', '0 0 29 2 *', '0 9 * * MON'])(
    'takes %s',
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

describe('nextTick', () => {
  it('is after the time given, in UTC', () => {
    expect(nextTick('0 3 * * *', at('03:00:00')).toISOString()).toBe('2026-03-02T03:00:00.000Z');
  });
});

describe('lastTick', () => {
  it('is the time itself when that is one', () => {
    expect(times([lastTick('*/5 * * * *', at('12:05:00')), lastTick('*/5 * * * *', at('12:04:59'))])).toEqual([
      '12:05:00',
      '12:00:00',
    ]);
  });
});

describe('dueTicks', () => {
  it('has a tick from the moment it is due until it was delivered', () => {
    expect(times(dueTicks('*/5 * * * *', at('11:55:00'), at('11:59:59')))).toEqual([]);
    expect(times(dueTicks('*/5 * * * *', at('11:55:00'), at('12:00:00')))).toEqual(['12:00:00']);
    expect(times(dueTicks('*/5 * * * *', at('11:55:00'), at('12:04:59')))).toEqual(['12:00:00']);
    expect(times(dueTicks('*/5 * * * *', at('12:00:00'), at('12:04:59')))).toEqual([]);
  });

  it('makes the latest of many missed ticks good, once', () => {
    expect(times(dueTicks('* * * * *', at('09:00:00'), at('12:00:30')))).toEqual(['12:00:00']);
    expect(times(dueTicks('0 * * * *', at('03:00:00'), at('12:30:00')))).toEqual(['12:00:00']);
  });

  it('has nothing to make good for a job that never ran', () => {
    expect(times(dueTicks('0 * * * *', undefined, at('12:30:00')))).toEqual([]);
    expect(times(dueTicks('0 * * * *', undefined, at('12:00:20')))).toEqual(['12:00:00']);
  });

  it('has each tick of the last minute', () => {
    expect(dueTicks('* * * * * *', at('12:00:00'), at('12:00:20'))).toHaveLength(20);
  });
});
