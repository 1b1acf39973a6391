import { objectIn } from '../api/json-schema.js';
import { fieldsOf, readInput } from './schema-fields.js';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where' },
    days: { type: 'integer', default: 3 },
    budget: { type: 'number' },
    tone: { enum: ['dry', 'warm'] },
    kids: { type: 'boolean' },
    stops: { type: 'array' },
    any: true,
  },
  required: ['city'],
};
const fields = fieldsOf(schema);

describe('fieldsOf', () => {
  it('returns a form field with its kind for each property', () => {
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['city', 'text'],
      ['days', 'integer'],
      ['budget', 'number'],
      ['tone', 'choice'],
      ['kids', 'boolean'],
      ['stops', 'json'],
      ['any', 'json'],
    ]);
    expect(fields[0]).toEqual({
      name: 'city',
      description: 'Where',
      kind: 'text',
      isRequired: true,
      choices: [],
      preset: '',
    });
    expect([fields[1]?.preset, fields[3]?.choices]).toEqual(['3', ['dry', 'warm']]);
  });

  it('returns no form fields for a schema without properties', () => expect(fieldsOf({})).toEqual([]));
});

describe('readInput', () => {
  it('parses typed text to numbers, lists and choices, and leaves out empty optional fields', () => {
    const texts = { city: 'Bonn', budget: '9.5', tone: 'warm', kids: 'true', stops: '["a"]', any: '' };
    expect(readInput(fields, texts)).toEqual({
      value: { city: 'Bonn', days: 3, budget: 9.5, tone: 'warm', kids: true, stops: ['a'] },
      faults: {},
    });
  });

  it('returns an empty text for an empty required field, and leaves out a field whose default value was cleared', () => {
    expect(readInput(fields, { days: '' })).toEqual({ value: { city: '' }, faults: {} });
  });

  it('reports a fault for each field that does not match its type', () => {
    const { value, faults } = readInput(fields, { city: 'Bonn', days: '1.5', budget: 'much', stops: '[' });
    expect(Object.keys(faults)).toEqual(['days', 'budget', 'stops']);
    expect(value).toEqual({ city: 'Bonn' });
  });
});

describe('objectIn', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['[]', undefined],
    ['null', undefined],
    ['{', undefined],
    ['', undefined],
  ])('parses the text %j as %j', (text, found) => expect(objectIn(text)).toEqual(found));
});
