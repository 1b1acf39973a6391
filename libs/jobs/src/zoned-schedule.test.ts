import {
  dueZonedTimes,
  isTimezone,
  isZonedExpression,
  nextZonedTime,
  nextZonedTimes,
  type ZonedSchedule,
} from './zoned-schedule.js';

const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';
const LORD_HOWE = 'Australia/Lord_Howe';

const timesOf = (zoned: ZonedSchedule, after: string, count: number) =>
  nextZonedTimes(zoned, new Date(after), count).map((time) => time.toISOString().slice(0, 16));

describe('nextZonedTimes', () => {
  it.each<[what: string, timezone: string, schedule: string, after: string, times: string[]]>([
    [
      'moves a time that the clock skips in Berlin to a later time, by the length of the skipped period',
      BERLIN,
      '30 2 * * *',
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:30', '2026-03-30T00:30'],
    ],
    [
      'returns a time once when a moved time is equal to another scheduled time',
      BERLIN,
      '15 1-3 * * *',
      '2026-03-28T23:00:00Z',
      ['2026-03-29T00:15', '2026-03-29T01:15', '2026-03-29T23:15'],
    ],
    [
      'returns times in chronological order when a time is moved beyond a later scheduled time',
      BERLIN,
      '10,50 2,3 * * *',
      '2026-03-28T23:00:00Z',
      ['2026-03-29T01:10', '2026-03-29T01:50', '2026-03-30T00:10'],
    ],
    [
      'returns the first of two equal local times in Berlin',
      BERLIN,
      '30 2 * * *',
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'does not return the second of two equal local times when the search starts between them',
      BERLIN,
      '30 2 * * *',
      '2026-10-25T01:10:00Z',
      ['2026-10-26T01:30'],
    ],
    [
      'returns each hour of the day with 23 hours, in Berlin',
      BERLIN,
      '0 * * * *',
      '2026-03-28T23:30:00Z',
      ['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00'],
    ],
    [
      'returns each hour of the day with 25 hours, in Berlin',
      BERLIN,
      '0 * * * *',
      '2026-10-24T23:30:00Z',
      ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00', '2026-10-25T03:00'],
    ],
    [
      'returns each quarter of a repeated hour',
      BERLIN,
      '*/15 * * * *',
      '2026-10-25T00:40:00Z',
      ['2026-10-25T00:45', '2026-10-25T01:00', '2026-10-25T01:15'],
    ],
    [
      'moves a time that the clock skips, in New York',
      NEW_YORK,
      '0 2 * * *',
      '2026-03-07T12:00:00Z',
      ['2026-03-08T07:00', '2026-03-09T06:00'],
    ],
    [
      'returns the first of two equal local times in New York',
      NEW_YORK,
      '0 1 * * *',
      '2026-10-31T12:00:00Z',
      ['2026-11-01T05:00', '2026-11-02T06:00'],
    ],
    [
      'moves a time by the half hour that the clock skips, on Lord Howe',
      LORD_HOWE,
      '15 2 * * *',
      '2026-10-03T10:00:00Z',
      ['2026-10-03T15:45', '2026-10-04T15:15'],
    ],
    [
      'returns the first of two equal local times in a repeated half hour, on Lord Howe',
      LORD_HOWE,
      '45 1 * * *',
      '2026-04-04T10:00:00Z',
      ['2026-04-04T14:45', '2026-04-05T15:15'],
    ],
    [
      'returns both occurrences of an hourly time in a repeated half hour, on Lord Howe',
      LORD_HOWE,
      '45 * * * *',
      '2026-04-04T14:00:00Z',
      ['2026-04-04T14:45', '2026-04-04T15:15', '2026-04-04T16:15'],
    ],
    [
      'returns each half hour before and after a skipped half hour, on Lord Howe',
      LORD_HOWE,
      '*/30 * * * *',
      '2026-10-03T15:00:00Z',
      ['2026-10-03T15:30', '2026-10-03T16:00', '2026-10-03T16:30'],
    ],
    ['returns the leap day', BERLIN, '0 12 29 2 *', '2026-01-01T00:00:00Z', ['2028-02-29T11:00', '2032-02-29T11:00']],
    [
      'returns each scheduled hour of the leap day',
      NEW_YORK,
      '0 */12 29 2 *',
      '2026-01-01T00:00:00Z',
      ['2028-02-29T05:00', '2028-02-29T17:00', '2032-02-29T05:00'],
    ],
    [
      'returns the same local hour before and after the clock changes',
      BERLIN,
      '0 9 1 * *',
      '2026-02-15T00:00:00Z',
      ['2026-03-01T08:00', '2026-04-01T07:00', '2026-05-01T07:00'],
    ],
  ])('%s', (_, timezone, schedule, after, times) => {
    expect(timesOf({ schedule, timezone }, after, times.length)).toEqual(times);
  });

  it.each(['*/7 * * * *', '0 * * * *', '30 2 * * *', '15 1-3 * * *', '5,35 0-5 * * *', '45 1 * * 0'])(
    'returns each time of %s once, whatever the minute of the first call',
    (schedule) => {
      for (const [timezone, day] of [
        [BERLIN, '2026-03-28T20:00:00Z'],
        [BERLIN, '2026-10-24T20:00:00Z'],
        [LORD_HOWE, '2026-04-04T10:00:00Z'],
        [LORD_HOWE, '2026-10-03T10:00:00Z'],
        [NEW_YORK, '2026-11-01T02:00:00Z'],
      ] as const) {
        const begin = new Date(day).getTime();
        const all = timesOf({ schedule, timezone }, day, 120);
        expect(new Set(all).size).toBe(120);
        expect(all).toEqual(all.toSorted());
        for (let minute = 0; minute < 12 * 60; minute += 11) {
          const after = new Date(begin + minute * 60_000).toISOString();
          expect([after, timesOf({ schedule, timezone }, after, 1)]).toEqual([
            after,
            all.filter((time) => time > after.slice(0, 16)).slice(0, 1),
          ]);
        }
      }
    },
  );

  it('returns only times from the start to the end of the period, both included', () => {
    const period = { startsAt: new Date('2026-05-02T07:00:00Z'), endsAt: new Date('2026-05-03T07:00:00Z') };
    const daily = { schedule: '0 9 * * *', timezone: BERLIN, ...period };
    expect(timesOf(daily, '2026-01-01T00:00:00Z', 5)).toEqual(['2026-05-02T07:00', '2026-05-03T07:00']);
    expect(nextZonedTime(daily, period.endsAt)).toBeUndefined();
  });
});

describe('dueZonedTimes', () => {
  const dueOf = (schedule: string, next: string, now: string) => {
    const {
      onTime,
      missed,
      next: later,
    } = dueZonedTimes({ schedule, timezone: 'UTC' }, new Date(`2026-03-01T${next}Z`), new Date(`2026-03-01T${now}Z`));
    const text = (time: Date | undefined) => time?.toISOString().slice(5, 19);
    return { onTime: onTime.map(text), missed: text(missed), next: text(later) };
  };

  it.each([
    ['nothing before the scheduled time', '0 * * * *', '12:00:00', '11:59:59', [], undefined, '03-01T12:00:00'],
    ['a time of this second', '0 * * * *', '12:00:00', '12:00:00', ['03-01T12:00:00'], undefined, '03-01T13:00:00'],
    ['a time of the last minute', '0 * * * *', '12:00:00', '12:00:59', ['03-01T12:00:00'], undefined, '03-01T13:00:00'],
    ['a missed time', '0 * * * *', '12:00:00', '12:01:00', [], '03-01T12:00:00', '03-01T13:00:00'],
    ['the latest of many missed times', '0 * * * *', '02:00:00', '12:30:00', [], '03-01T12:00:00', '03-01T13:00:00'],
    [
      'the time of the last minute and the latest missed time',
      ...(['* * * * *', '02:00:00', '12:00:30', ['03-01T12:00:00'], '03-01T11:59:00', '03-01T12:01:00'] as const),
    ],
  ])('returns %s', (_, schedule, next, now, onTime, missed, later) => {
    expect(dueOf(schedule, next, now)).toEqual({ onTime, missed, next: later });
  });

  it('needs less than 500 ms of processor time after ten years without a check', () => {
    const next = new Date('2016-01-01T00:00:00Z');
    const now = new Date('2026-03-01T12:00:30Z');
    const used = process.cpuUsage();
    const due = dueZonedTimes({ schedule: '*/10 * * * *', timezone: BERLIN }, next, now);
    expect(due.missed?.toISOString()).toBe('2026-03-01T11:50:00.000Z');
    expect(process.cpuUsage(used).user / 1_000).toBeLessThan(500);
  });
});

describe('isZonedExpression', () => {
  it.each(['* * * * *', '0 9 * * MON-FRI', '0 9 * * THU', '0 0 29 2 *', '0 0 1 MAR *'])('accepts %s', (text) =>
    expect(isZonedExpression(text)).toBe(true),
  );
  it.each(['', '@daily', '* * * * * *', 'H * * * *', '0 H(0-3) * * *', '0 0 30 2 *', '61 * * * *'])(
    'refuses %j',
    (text) => expect(isZonedExpression(text)).toBe(false),
  );
});

describe('isTimezone', () => {
  it.each(['UTC', BERLIN, NEW_YORK, LORD_HOWE, 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('accepts %s', (name) =>
    expect(isTimezone(name)).toBe(true),
  );
  it.each(['', 'Mars/Olympus', '+01:00', 'CET2', 'Europe/Berlin; DROP'])('refuses %j', (name) =>
    expect(isTimezone(name)).toBe(false),
  );
});
