import { sortedBy, sortingOf, sortingText } from './sorting.js';

describe('sortedBy', () => {
  it.each([
    ['name', 'created_at.desc', 'name.asc'],
    ['name', 'name.asc', 'name.desc'],
    ['name', 'name.desc', 'name.asc'],
    ['updated_at', 'name.asc', 'updated_at.desc'],
    ['updated', 'updated.desc', 'updated.asc'],
  ])('a click on %s changes the order %s to %s', (field, now, next) =>
    expect(sortingText(sortedBy(field, sortingOf(now)))).toBe(next),
  );
});
