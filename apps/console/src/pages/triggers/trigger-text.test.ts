import { fromLocalInput, toLocalInput, zonedText } from './trigger-text.js';

describe('toLocalInput', () => {
  it('returns a text that fromLocalInput converts back to the same time', () => {
    const at = '2026-11-23T08:30:00.000Z';
    expect(fromLocalInput(toLocalInput(at))).toBe(at);
    expect([toLocalInput(null), fromLocalInput('')]).toEqual(['', null]);
  });
});

describe('zonedText', () => {
  it('shows the time in the given zone', () => {
    expect(zonedText('2026-03-29T01:30:00Z', 'Europe/Berlin')).toBe('Sun 29 Mar, 03:30');
    expect(zonedText('2026-03-29T01:30:00Z', 'America/New_York')).toBe('Sat 28 Mar, 21:30');
  });
});
