import { EVENT_LABELS, typesText } from './event-types.js';

describe('typesText', () => {
  it('names the chosen types, and all types when no type is chosen', () => {
    expect(typesText([])).toBe('All events');
    expect(typesText(Object.keys(EVENT_LABELS).slice(0, 2))).toBe('run.completed, run.failed');
  });
});
