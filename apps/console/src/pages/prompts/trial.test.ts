import type { Label, Prompt } from '../../api/prompt-records.js';
import { inputOf, versionOf, wantedOf, type Trial } from './trial.js';

describe('the version that is tried', () => {
  const prompt = { metadata: { version: 7 } } as Prompt;
  const labels = [{ name: 'production', version: 3 }] as Label[];
  it.each([
    ['', {}, 7],
    ['label:production', { label: 'production' }, 3],
    ['label:gone', { label: 'gone' }, 7],
    ['version:5', { version: 5 }, 5],
    ['version:0', {}, 7],
    ['version:1e9', {}, 7],
    ['nonsense', {}, 7],
  ])('%j in the address is %j', (use, wanted, number) => {
    expect(wantedOf(use)).toEqual(wanted);
    expect(versionOf(wantedOf(use), prompt, labels)).toBe(number);
  });
});

describe('what a trial sends', () => {
  const trial = (changes: Partial<Trial> = {}): Trial => ({
    message: '',
    texts: {},
    json: null,
    model: '',
    ...changes,
  });
  const schema = { properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] };

  it('is the message and the fields that the schema has', () => {
    const texts = { city: 'Bonn', days: '2', gone: 'x' };
    expect(inputOf(trial({ message: 'Hi', texts }), schema)).toEqual({
      message: 'Hi',
      structured_data: { city: 'Bonn', days: 2 },
    });
  });

  it('is no input where the schema has no properties, and nothing while a field is wrong', () => {
    expect(inputOf(trial(), {})).toEqual({});
    expect(inputOf(trial({ texts: { days: 'many' } }), schema)).toBeUndefined();
  });

  it('is the JSON in place of the fields, once it is an object', () => {
    expect(inputOf(trial({ json: '{"a":{"b":1}}', texts: { city: 'x' } }), schema)).toEqual({
      structured_data: { a: { b: 1 } },
    });
    expect(inputOf(trial({ json: '{' }), schema)).toBeUndefined();
  });
});
