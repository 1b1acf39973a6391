import { timeText } from './time-text.js';

describe('timeText', () => {
  const now = new Date('2026-06-15T12:00:00Z');
  it.each([
    ['2026-06-15T11:59:40Z', 'just now'],
    ['2026-06-15T12:00:03Z', 'just now'],
    ['2026-06-15T12:00:20Z', 'in a few seconds'],
    ['2026-06-15T12:59:50Z', 'in 1 hour'],
    ['2026-06-15T12:00:59.900Z', 'in 1 minute'],
    ['2026-06-16T11:59:50Z', 'tomorrow'],
    ['2026-06-15T11:58:00Z', '2 minutes ago'],
    ['2026-06-15T09:00:00Z', '3 hours ago'],
    ['2026-06-14T12:00:00Z', 'yesterday'],
    ['2026-06-17T12:00:00Z', 'in 2 days'],
    ['2026-06-16T11:00:00Z', 'in 23 hours'],
    ['2026-01-02T12:00:00Z', 'Jan 2, 2026'],
    ['2027-06-15T12:00:00Z', 'Jun 15, 2027'],
  ])('writes the time %s as "%s"', (time, text) => expect(timeText(new Date(time), now)).toBe(text));
});
