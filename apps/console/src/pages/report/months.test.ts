import { lastMonths, monthText } from './months.js';

describe('the months of a report', () => {
  it('begin with this one and go back over the year', () =>
    expect(lastMonths(new Date('2026-02-28T23:00:00Z'), 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']));

  it('leave none out at the end of a long one', () =>
    expect(lastMonths(new Date('2026-03-31T12:00:00Z'), 2)).toEqual(['2026-03', '2026-02']));

  it('are named', () => expect(['2026-06', 'soon'].map(monthText)).toEqual(['June 2026', 'soon']));
});
