import { EVENT_LABELS, typesText } from './event-types.js';

describe('typesText', () => {
  it('returns the names of the chosen types, or "All events" when no type is chosen', () => {
    expect(typesText([])).toBe('All events');
    expect(typesText(Object.keys(EVENT_LABELS).slice(0, 2))).toBe('run.completed, run.failed');
  });
});
