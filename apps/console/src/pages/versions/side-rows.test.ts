import { differencesOf } from './difference.js';
import { sideRows } from './side-rows.js';

const rowsBetween = (before: string, after: string) =>
  sideRows(differencesOf({ text: before }, { text: after })[0]?.lines ?? []).map((row) => [
    row.before?.text,
    row.after?.text,
  ]);

describe('sideRows', () => {
  it('puts a removed line beside its replacement, and nothing beside a line without a replacement', () => {
    expect(rowsBetween('one\ntwo\nthree', 'one\n2\n2.5\nthree')).toEqual([
      ['one', 'one'],
      ['two', '2'],
      [undefined, '2.5'],
      ['three', 'three'],
    ]);
    expect(rowsBetween('one\ntwo', 'two')).toEqual([
      ['one', undefined],
      ['two', 'two'],
    ]);
  });

  it('keeps the order of lines on each side', () => {
    const rows = rowsBetween('a\nb\nc\nd', 'x\nb\ny\nz');
    expect(rows.map(([before]) => before).filter(Boolean)).toEqual(['a', 'b', 'c', 'd']);
    expect(rows.map(([, after]) => after).filter(Boolean)).toEqual(['x', 'b', 'y', 'z']);
  });
});
