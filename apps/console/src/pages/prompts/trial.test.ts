import type { Label, Prompt } from '../../api/prompt-records.js';
import { ApiError } from '../../api/client.js';
import { inputFaults, inputOf, type Trial, versionOf, wantedOf } from './trial.js';

describe('the version to run', () => {
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
  ])('is, for the text %j in the address, selected by %j and has the number %i', (use, wanted, number) => {
    expect(wantedOf(use)).toEqual(wanted);
    expect(versionOf(wantedOf(use), prompt, labels)).toBe(number);
  });
});

describe('the request body of a trial', () => {
  const trial = (changes: Partial<Trial> = {}): Trial => ({
    message: '',
    texts: {},
    json: null,
    model: '',
    ...changes,
  });
  const schema = { properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] };

  it('contains the message and the fields of the schema', () => {
    const texts = { city: 'Bonn', days: '2', gone: 'x' };
    expect(inputOf(trial({ message: 'Hi', texts }), schema)).toEqual({
      message: 'Hi',
      structured_data: { city: 'Bonn', days: 2 },
    });
  });

  it('is empty if there is no message and the schema has no properties, and is undefined while a field is invalid', () => {
    expect(inputOf(trial(), {})).toEqual({});
    expect(inputOf(trial({ texts: { days: 'many' } }), schema)).toBeUndefined();
  });

  it('uses the JSON input instead of the fields when the JSON is an object', () => {
    expect(inputOf(trial({ json: '{"a":{"b":1}}', texts: { city: 'x' } }), schema)).toEqual({
      structured_data: { a: { b: 1 } },
    });
    expect(inputOf(trial({ json: '{' }), schema)).toBeUndefined();
  });
});

describe('inputFaults', () => {
  it('returns the reason for each faulty property and for a faulty model', () => {
    const text =
      'The request has invalid values: structured_data.language: is required; structured_data.at.0: must be text; model: Unknown model "x".';
    expect(inputFaults(new ApiError(400, 'validation_error', text))).toEqual({
      language: 'Required.',
      at: 'Must be text.',
      model: 'Unknown model "x".',
    });
    expect(inputFaults(undefined)).toEqual({});
  });
});
