import { allowsTool, isToolEntry } from './index.js';

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
  ])('%j for sums/add: %s', (list, allowed) => {
    expect(allowsTool([list], 'sums', 'add')).toBe(allowed);
  });

  it('is what every list allows', () => {
    expect(allowsTool([['sums/*'], ['*'], undefined], 'sums', 'add')).toBe(true);
    expect(allowsTool([['sums/*'], ['sums/sub']], 'sums', 'add')).toBe(false);
  });

  it('never takes a name for a pattern', () => {
    expect(allowsTool([['sums/add']], 'sums', '*')).toBe(false);
    expect(allowsTool([['sums/*']], '*', 'add')).toBe(false);
  });
});

it.each(['*', 'sums/*', 'sums/add', 'platform/ask_a-b', 'ms_0AbC/x.y'])('%s is an entry', (entry) => {
  expect(isToolEntry(entry)).toBe(true);
});
it.each(['', '**', '*/add', 'sums', 'sums/', '/add', 'sums/a b', 'sums/a/b', 'sums/add*', ' *'])(
  '"%s" is no entry',
  (entry) => {
    expect(isToolEntry(entry)).toBe(false);
  },
);
