import { isExpected, MOST_INPUTS, readInputs, withInput, type SavedInput } from './saved-inputs.js';

const input = (name: string, message = '', expected: string | null = null): SavedInput => ({
  ...{ name, message, expected },
  ...{ texts: { city: 'Bonn' }, json: null },
});

describe('readInputs', () => {
  it('reads saved inputs, and leaves out invalid inputs', () => {
    const former = { ...input('f'), expected: undefined };
    const kept = JSON.stringify([
      input('a', 'Hi', 'Hello'),
      former,
      { name: 'b' },
      7,
      { ...input('c'), texts: { n: 1 } },
    ]);
    expect(readInputs(kept)).toEqual([input('a', 'Hi', 'Hello'), input('f')]);
    expect([readInputs(null), readInputs('{'), readInputs('{}')]).toEqual([[], [], []]);
  });
});

describe('withInput', () => {
  it('replaces an input with the same name, and returns only the newest 20 inputs', () => {
    expect(withInput([input('a', 'old'), input('b')], input('a', 'new'))).toEqual([input('b'), input('a', 'new')]);
    const many = Array.from({ length: MOST_INPUTS }, (_, n) => input(`n${n}`));
    const names = withInput(many, input('last')).map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([MOST_INPUTS, 'n1', 'last']);
  });
});

describe('isExpected', () => {
  it('returns true for the same text and for the same JSON value in another notation, and false for any other answer', () => {
    expect(isExpected('{"b":[1,2],"a":{"d":1,"c":2}}', '{ "a": {"c": 2, "d": 1}, "b": [1, 2] }')).toBe(true);
    expect(isExpected(' Hello.\n', 'Hello.')).toBe(true);
    expect([isExpected('{"b":[2,1]}', '{"b":[1,2]}'), isExpected('hello.', 'Hello.'), isExpected('', '{}')]).toEqual([
      ...[false, false, false],
    ]);
  });
});
