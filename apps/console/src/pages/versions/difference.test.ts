import { differencesOf } from './difference.js';

describe('the difference of two records', () => {
  it('names the fields that differ and no others, line by line', () => {
    const before = { name: 'A', text: 'one\ntwo\nthree', same: 1 };
    const after = { name: 'A', text: 'one\n2\nthree', same: 1 };
    expect(differencesOf(before, after)).toEqual([
      {
        field: 'text',
        lines: [
          { kind: 'same', text: 'one' },
          { kind: 'removed', text: 'two' },
          { kind: 'added', text: '2' },
          { kind: 'same', text: 'three' },
        ],
      },
    ]);
  });

  it('takes a line that others follow now for the same line', () => {
    expect(differencesOf({ text: 'one' }, { text: 'one\ntwo' })[0]?.lines).toEqual([
      { kind: 'same', text: 'one' },
      { kind: 'added', text: 'two' },
    ]);
  });

  it('shows what has no lines as JSON, and a field that is on one side only', () => {
    expect(differencesOf({ ids: ['a'] }, { ids: ['a'], model: 'big' })).toEqual([
      { field: 'model', lines: [{ kind: 'added', text: 'big' }] },
    ]);
    const [ids] = differencesOf({ ids: ['a'] }, { ids: ['b'] });
    expect(ids?.lines.filter(({ kind }) => kind !== 'same').map(({ text }) => text)).toEqual(['  "a"', '  "b"']);
  });

  it('leaves out what is far from a change', () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
    const [text] = differencesOf({ text: lines.join('\n') }, { text: lines.with(50, 'other').join('\n') });
    expect(text?.lines).toHaveLength(10);
    expect(text?.lines[0]).toEqual({ kind: 'same', text: '… 47 unchanged lines …' });
  });

  it('takes no time for texts that are all different', () => {
    const of = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word}${n}`).join('\n');
    const from = performance.now();
    expect(differencesOf({ text: of('a') }, { text: of('b') })[0]?.lines).toHaveLength(40_000);
    expect(performance.now() - from).toBeLessThan(2_000);
  });
});
