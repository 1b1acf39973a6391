import { sortedBy, sortingOf, sortingText } from './sorting.js';

describe('sortedBy', () => {
  it.each([
    ['name', 'created_at.desc', 'name.asc'],
    ['name', 'name.asc', 'name.desc'],
    ['name', 'name.desc', 'name.asc'],
    ['updated_at', 'name.asc', 'updated_at.desc'],
    ['updated', 'updated.desc', 'updated.asc'],
  ])('a press on %s turns %s into %s', (field, now, next) =>
    expect(sortingText(sortedBy(field, sortingOf(now)))).toBe(next),
  );
});
