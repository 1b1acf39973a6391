import { allowsTool, isToolEntry } from './tool-lists.js';

describe('allowsTool', () => {
  it.each<[string[] | undefined, boolean]>([
    [undefined, true],
    [['*'], true],
    [['sums/*'], true],
    [['sums/add'], true],
    [['other/add', 'sums/add'], true],
    [[], false],
    [['sums/sub'], false],
    [['other/*'], false],
    [['other/add'], false],
    [['Sums/add'], false],
  ])('with the list %j for sums/add returns %s', (list, allowed) => {
    expect(allowsTool([list], 'sums', 'add')).toBe(allowed);
  });

  it('allows only tools that every list allows', () => {
    expect(allowsTool([['sums/*'], ['*'], undefined], 'sums', 'add')).toBe(true);
    expect(allowsTool([['sums/*'], ['sums/sub']], 'sums', 'add')).toBe(false);
  });

  it('compares names literally, never as patterns', () => {
    expect(allowsTool([['sums/add']], 'sums', '*')).toBe(false);
    expect(allowsTool([['sums/*']], '*', 'add')).toBe(false);
  });
});

it.each(['*', 'sums/*', 'sums/add', 'platform/ask_a-b', 'ms_0AbC/x.y'])('isToolEntry accepts %s', (entry) => {
  expect(isToolEntry(entry)).toBe(true);
});
it.each(['', '**', '*/add', 'sums', 'sums/', '/add', 'sums/a b', 'sums/a/b', 'sums/add*', ' *'])(
  'isToolEntry refuses "%s"',
  (entry) => {
    expect(isToolEntry(entry)).toBe(false);
  },
);
