import { withoutTag, withTag } from './tag-actions.js';

describe('withTag', () => {
  it('adds a tag at the end, once', () => {
    expect(withTag(['a', 'b'], 'c')).toEqual(['a', 'b', 'c']);
    expect(withTag(['a', 'b'], 'a')).toEqual(['a', 'b']);
  });
});

describe('withoutTag', () => {
  it('takes a tag away and keeps the order of the others', () =>
    expect(withoutTag(['a', 'b', 'c'], 'b')).toEqual(['a', 'c']));
});
