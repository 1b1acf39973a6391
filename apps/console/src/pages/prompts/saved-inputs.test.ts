import { MOST_INPUTS, readInputs, withInput, type SavedInput } from './saved-inputs.js';

const input = (name: string, message = ''): SavedInput => ({ name, message, texts: { city: 'Bonn' }, json: null });

describe('readInputs', () => {
  it('reads what was kept, and leaves out what is no input', () => {
    const kept = JSON.stringify([input('a', 'Hi'), { name: 'b' }, 7, { ...input('c'), texts: { n: 1 } }]);
    expect(readInputs(kept)).toEqual([input('a', 'Hi')]);
    expect([readInputs(null), readInputs('{'), readInputs('{}')]).toEqual([[], [], []]);
  });
});

describe('withInput', () => {
  it('replaces the input of the same name, and keeps the newest 20', () => {
    expect(withInput([input('a', 'old'), input('b')], input('a', 'new'))).toEqual([input('b'), input('a', 'new')]);
    const many = Array.from({ length: MOST_INPUTS }, (_, n) => input(`n${n}`));
    const names = withInput(many, input('last')).map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([MOST_INPUTS, 'n1', 'last']);
  });
});
