import { fieldsOf, objectIn, readInput } from './input-fields.js';

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

describe('the fields of an input', () => {
  it('are its properties, each asked for by its kind', () => {
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

  it('are none without properties', () => expect(fieldsOf({})).toEqual([]));
});

describe('what is typed', () => {
  it('becomes an instance: numbers, lists and choices as such, without what is empty and optional', () => {
    const texts = { city: 'Bonn', budget: '9.5', tone: 'warm', kids: 'true', stops: '["a"]', any: '' };
    expect(readInput(fields, texts)).toEqual({
      value: { city: 'Bonn', days: 3, budget: 9.5, tone: 'warm', kids: true, stops: ['a'] },
      faults: {},
    });
  });

  it('keeps an empty text that is required, and leaves a default out that was cleared', () => {
    expect(readInput(fields, { days: '' })).toEqual({ value: { city: '' }, faults: {} });
  });

  it('is refused by the field that it does not fit', () => {
    const { value, faults } = readInput(fields, { city: 'Bonn', days: '1.5', budget: 'much', stops: '[' });
    expect(Object.keys(faults)).toEqual(['days', 'budget', 'stops']);
    expect(value).toEqual({ city: 'Bonn' });
  });
});

describe('a JSON text', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['[]', undefined],
    ['null', undefined],
    ['{', undefined],
    ['', undefined],
  ])('%j holds the object %j', (text, found) => expect(objectIn(text)).toEqual(found));
});
