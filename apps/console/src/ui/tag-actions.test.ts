import { withoutTag, withTag } from './tag-actions.js';

describe('withTag', () => {
  it('adds a tag at the end, unless it is already in the list', () => {
    expect(withTag(['a', 'b'], 'c')).toEqual(['a', 'b', 'c']);
    expect(withTag(['a', 'b'], 'a')).toEqual(['a', 'b']);
  });
});

describe('withoutTag', () => {
  it('removes a tag and keeps the order of the other tags', () =>
    expect(withoutTag(['a', 'b', 'c'], 'b')).toEqual(['a', 'c']));
});
