import { clockText, zonedText } from './clock-text.js';

const now = new Date(2026, 10, 21, 20, 30);

describe('clockText', () => {
  it.each([
    [new Date(2026, 10, 21, 0, 6, 4), '00:06:04'],
    [new Date(2026, 10, 20, 20, 6, 14), 'Nov 20, 20:06:14'],
    [new Date(2025, 10, 21, 20, 6, 14), 'Nov 21, 2025, 20:06:14'],
  ])('writes the time %s as "%s"', (time, text) => expect(clockText(time, now)).toBe(text));
});

describe('zonedText', () => {
  it('returns the time of day to the second, with the time zone', () =>
    expect(zonedText('2026-11-21T20:06:14Z')).toMatch(/:06:14 (UTC|GMT|[A-Z]{2,})/));
});
