import { periodOf, rangeOf } from './audit-period.js';

const now = new Date('2026-11-21T20:30:45.678Z');
const range = (changes: object) => ({ period: '', from: '', to: '', ...changes });

describe('the period of the audit log', () => {
  it('starts 24 hours before the current full minute when its name is 24h', () => {
    expect(rangeOf(range({ period: '24h' }), now)).toEqual({ from: '2026-11-20T20:30:00.000Z', to: '' });
  });

  it('starts at the time that the user entered, and has no end when the entered end is invalid', () => {
    const times = range({ period: '1h', from: '2026-03-01T10:00', to: 'soon' });
    expect(periodOf(times)).toBe('custom');
    expect(rangeOf(times, now)).toEqual({ from: new Date(2026, 2, 1, 10).toISOString(), to: '' });
  });

  it('has neither start nor end when its name is unknown', () => {
    expect(['', 'constructor', 'custom'].map((period) => periodOf(range({ period })))).toEqual(['', '', 'custom']);
    expect(rangeOf(range({ period: 'constructor' }), now)).toEqual({ from: '', to: '' });
  });
});
