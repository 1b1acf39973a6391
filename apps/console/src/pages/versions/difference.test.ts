import { differencesOf } from './difference.js';

describe('differencesOf', () => {
  it('returns only the differing fields, line by line', () => {
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

  it('treats a line as unchanged when lines are added after it', () => {
    expect(differencesOf({ text: 'one' }, { text: 'one\ntwo' })[0]?.lines).toEqual([
      { kind: 'same', text: 'one' },
      { kind: 'added', text: 'two' },
    ]);
  });

  it('compares values other than texts as JSON, and returns fields that only one record has', () => {
    expect(differencesOf({ ids: ['a'] }, { ids: ['a'], model: 'big' })).toEqual([
      { field: 'model', lines: [{ kind: 'added', text: 'big' }] },
    ]);
    const [ids] = differencesOf({ ids: ['a'] }, { ids: ['b'] });
    expect(ids?.lines.filter(({ kind }) => kind !== 'same').map(({ text }) => text)).toEqual(['  "a"', '  "b"']);
  });

  it('leaves out unchanged lines far from a change', () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
    const [text] = differencesOf({ text: lines.join('\n') }, { text: lines.with(50, 'other').join('\n') });
    expect(text?.lines).toHaveLength(10);
    expect(text?.lines[0]).toEqual({ kind: 'same', text: '… 47 unchanged lines …' });
  });

  it('is fast for texts without a common line', () => {
    const of = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word}${n}`).join('\n');
    const from = performance.now();
    expect(differencesOf({ text: of('a') }, { text: of('b') })[0]?.lines).toHaveLength(40_000);
    expect(performance.now() - from).toBeLessThan(10_000);
  });
});
