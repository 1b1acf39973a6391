import { lastMonths, monthText } from './months.js';

describe('months of a report', () => {
  it('start with the current month and continue into the previous year', () =>
    expect(lastMonths(new Date('2026-02-28T23:00:00Z'), 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']));

  it('skip no month when today is the 31st', () =>
    expect(lastMonths(new Date('2026-03-31T12:00:00Z'), 2)).toEqual(['2026-03', '2026-02']));

  it('have names in words', () => expect(['2026-06', 'soon'].map(monthText)).toEqual(['June 2026', 'soon']));
});
